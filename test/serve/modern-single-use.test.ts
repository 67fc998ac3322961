import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Json } from '../support/json.ts';
import { callOf, retryOf, textOf } from './modern-message.ts';
import { describeModern, type ModernSession, openModernSession } from './modern-session.ts';

const YES: Json = { action: 'accept', content: { confirmed: true } };
const capabilities = { elicitation: {} };
const FROZEN = {
  code: -32602,
  message: 'Invalid or expired requestState',
  data: { reason: 'invalid_request_state' },
};

describeModern('[M2f] [F41] with singleUse, an accepted retry that comes twice', (transport, sdk) => {
  let session: ModernSession;
  beforeAll(async () => {
    session = await openModernSession(transport, { factory: 'asking', sdk, isSingleUse: true });
  });
  afterAll(() => session.close());

  const reported = async (kind: string): Promise<Json> => {
    for (;;) {
      const report = await session.reports.next();
      if (kind in report) return report;
    }
  };
  const ask = async (files: number) => {
    const request = callOf('erase', { files }, { capabilities });
    const { answer } = await session.tell(request);
    return () => retryOf(request, answer, { sure: YES });
  };

  it('one after the other, has its effect once', async () => {
    const retry = await ask(1);
    expect(textOf((await session.tell(retry())).answer)).toBe('erased');
    expect((await session.tell(retry())).answer['error']).toStrictEqual(FROZEN);
    expect(await reported('erased')).toEqual({ erased: 1 });
    expect(await reported('event')).toMatchObject({ event: { type: 'state-refused', cause: 'used' } });
  });

  it('at the same instant, has its effect once', async () => {
    const retry = await ask(2);
    const retries = Array.from({ length: 5 }, retry);
    await Promise.all(retries.map((message) => session.peer.send(message)));
    const answers: Json[] = [];
    for (const _ of retries) answers.push(await session.peer.next());
    const texts = answers.filter((answer) => 'result' in answer).map(textOf);
    expect(texts).toEqual(['erased']);
    expect(answers.filter((answer) => 'error' in answer).map((answer) => answer['error'])).toStrictEqual(
      Array.from({ length: 4 }, () => FROZEN),
    );
    for (let refusals = 0; refusals < 4; ) {
      const report = await session.reports.next();
      if (report['event']?.type === 'state-refused') refusals += 1;
    }
    expect(session.reports.all.filter((report) => report['erased'] === 2)).toHaveLength(1);
  });

  it('goes on through several rounds, each with a state of its own', async () => {
    const request = callOf('twice', {}, { capabilities });
    const first = await session.tell(request);
    const second = await session.tell(retryOf(request, first.answer, { first: YES }));
    const last = await session.tell(retryOf(request, second.answer, { second: YES }));
    expect(textOf(last.answer)).toBe('yes yes 2');
  });
});
