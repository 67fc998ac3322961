import { createRequestStateCodec, once } from 'mcp-dual-era';
import { describe, expect, it } from 'vitest';
import { retryOf, textOf } from '../serve/modern-message.ts';
import type { Json } from '../support/json.ts';
import { accepted, askText } from './questions.ts';
import { type Act, answersTo, eventsOf, firstCall, isAsk, KEY, play, serveBody } from './replay-session.ts';

const SECRET = 'correct-horse-battery';
const twice = async (act: Act) => `${await askText(act, 'a')} ${await askText(act, 'b')}`;

/** All that can be read of a state without a key. */
function readable(state: string): string {
  const body = Buffer.from(state.slice('v1.'.length), 'base64url');
  return state + body.toString('latin1') + body.toString('utf8');
}

const CODECS: readonly (readonly [string, object])[] = [
  ['by default', { keys: [KEY] }],
  ['with encrypt: false', { keys: [KEY], encrypt: false }],
  ['with encrypt: true', { keys: [KEY], encrypt: true }],
  ['with a codec of ours', createRequestStateCodec({ keys: [KEY] })],
];

describe.each(CODECS)('[P1f] a state with a ledger, %s', (_name, requestState) => {
  it('shows no answer, no question, and no result of an effect', async () => {
    const served = serveBody(
      async (act) => {
        await once(act.extra, 'effect', () => SECRET);
        return twice(act);
      },
      { options: { inputRequired: { requestState } } },
    );
    const request = firstCall();
    const { answer: first } = await served.tell(request);
    const answers = answersTo(first, () => accepted(SECRET));
    const { answer: second } = await served.tell(retryOf(request, first, answers));
    for (const { result } of [first, second]) {
      expect(result.requestState).toMatch(/^v1\./);
      expect(readable(result.requestState)).not.toMatch(/correct|horse|battery|effect|question|accept|elicitation/);
    }
    expect(second['result'].requestState.length).toBeGreaterThan(first['result'].requestState.length);
  });
});

describe('a ledger that has become too large', () => {
  /** Accepted content of so many characters. */
  const long = (length: number) => () => accepted('x'.repeat(length));

  it('ends the call with a clear error before the next question is asked', async () => {
    const served = serveBody(twice);
    const { rounds, answer } = await play(served, long(200_000));
    expect(rounds).toHaveLength(1);
    expect(answer['error']).toEqual({ code: -32603, message: expect.stringMatching(/too large/) });
    expect(answer['error'].message).not.toContain('threw');
    expect(JSON.stringify(answer)).not.toContain('xxx');
    expect(eventsOf(served, 'error')).toMatchObject([
      { method: 'tools/call', target: 'act', message: expect.stringMatching(/too large/) },
    ]);
  });

  it('does not end a call that asks nothing more', async () => {
    const served = serveBody((act) => askText(act, 'a'));
    const { answer } = await play(served, long(200_000));
    expect(textOf(answer)).toHaveLength(200_000);
  });

  it('is one whose results of effects are too large, too', async () => {
    const served = serveBody(async (act) => {
      await once(act.extra, 'page', () => 'x'.repeat(200_000));
      return askText(act, 'a');
    });
    const { answer } = await served.tell(firstCall());
    expect(answer['error']).toMatchObject({ code: -32603, message: expect.stringMatching(/too large/) });
  });

  it('is not one that has room', async () => {
    const served = serveBody(twice);
    const request = firstCall();
    const { answer: first } = await served.tell(request);
    const { answer: second } = await served.tell(retryOf(request, first, answersTo(first, long(50_000))));
    expect(isAsk(second)).toBe(true);
    const { answer } = await served.tell(
      retryOf(
        request,
        second,
        answersTo(second, () => accepted('b')),
      ),
    );
    expect(textOf(answer)).toHaveLength(50_002);
  });

  it('grows with maxBytes', async () => {
    const requestState = { keys: [KEY], maxBytes: 1_000_000 };
    const served = serveBody(twice, { options: { inputRequired: { requestState } } });
    const { answer } = await play(served, long(200_000));
    expect(textOf(answer)).toHaveLength(400_001);
  });
});

describe('a run that is over', () => {
  it('leaves no state with the client', async () => {
    const { answer } = await play(serveBody(twice), (question: Json) => accepted(String(question['params'].message)));
    expect(Object.keys(answer['result']).sort()).toEqual(['_meta', 'content', 'resultType']);
  });
});
