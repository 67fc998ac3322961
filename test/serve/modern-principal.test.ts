import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Json } from '../support/json.ts';
import { callOf, retryOf, textOf } from './modern-message.ts';
import { type ServedOverHttp, serveModern } from './modern-session.ts';
import { mirrorHeaders } from './play-vector.ts';

const YES: Json = { action: 'accept', content: { confirmed: true } };
const capabilities = { elicitation: {} };

describe('[M2g] [F38] a requestState of another caller', () => {
  let served: ServedOverHttp;
  beforeAll(async () => {
    served = await serveModern({ factory: 'asking' });
  });
  afterAll(() => served.close());

  const tellAs = (caller: string | undefined, request: Json) => {
    const headers = mirrorHeaders(request);
    return served.tell(request, caller === undefined ? headers : { ...headers, 'x-test-caller': caller });
  };

  it.each([
    ['client/ada', 'client/bo'],
    ['client/ada', 'client'],
    ['client/ada', 'other/ada'],
    ['client/ada', undefined],
    ['client', undefined],
    [undefined, 'client/ada'],
    [undefined, 'client'],
  ])('is refused: asked as %s, answered as %s', async (asker, answerer) => {
    const request = callOf('erase', { files: 3 }, { capabilities });
    const { answer } = await tellAs(asker, request);
    const refused = await tellAs(answerer, retryOf(request, answer, { sure: YES }));
    expect(refused.answer['error']).toStrictEqual({
      code: -32602,
      message: 'Invalid or expired requestState',
      data: { reason: 'invalid_request_state' },
    });
    expect(served.reports.all.filter((report) => 'erased' in report)).toEqual([]);
    expect(served.reports.all.at(-1)).toMatchObject({ event: { type: 'state-refused', cause: 'wrong-binding' } });
  });

  it.each(['client/ada', 'client', undefined])('is taken from who was asked: %s', async (caller) => {
    const request = callOf('shred', { files: 3 }, { capabilities });
    const { answer } = await tellAs(caller, request);
    expect(textOf((await tellAs(caller, retryOf(request, answer, { sure: YES }))).answer)).toBe('yes');
  });
});
