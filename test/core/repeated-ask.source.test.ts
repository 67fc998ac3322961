import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import type { CheckedRequest } from '../../packages/shim/src/core/check-ask.ts';
import { type PoorAnswer, RepeatedAsks } from '../../packages/shim/src/core/repeated-ask.ts';
import type { Json } from '../support/json.ts';

// A property takes hundreds of cases: on a busy machine longer than the usual limit of a test.
vi.setConfig({ testTimeout: 60_000 });

function question(key: string, params: Json = {}): CheckedRequest {
  return { key, kind: 'form', method: 'elicitation/create', params: { message: 'Sure?', ...params } };
}

/** Lets `rounds` of one question each pass, and tells what asking `next` would come to. */
function askAfter(rounds: readonly [CheckedRequest, PoorAnswer | undefined][], next: CheckedRequest): unknown {
  const asks = new RepeatedAsks();
  for (const round of rounds) asks.remember(new Map([round]));
  return asks.find([next]);
}

const times = (count: number, answer: PoorAnswer) =>
  Array.from({ length: count }, () => [question('q'), answer] as [CheckedRequest, PoorAnswer]);

describe('the same question again', () => {
  it('may be asked first of all', () => {
    expect(new RepeatedAsks().find([question('q')])).toBeUndefined();
  });

  it.each([
    ['declined', 'declined'],
    ['cancelled', 'cancelled'],
    ['failed', 'repeated-ask'],
  ] as const)('ends the call after an answer that was %s', (answer, reason) => {
    expect(askAfter(times(1, answer), question('q'))).toStrictEqual({ key: 'q', reason });
  });

  it.each([
    ['malformed', 'malformed'],
    ['unusable', 'repeated-ask'],
  ] as const)('may be asked twice more after a %s answer, then ends the call', (answer, reason) => {
    expect(askAfter(times(1, answer), question('q'))).toBeUndefined();
    expect(askAfter(times(2, answer), question('q'))).toBeUndefined();
    expect(askAfter(times(3, answer), question('q'))).toStrictEqual({ key: 'q', reason });
    expect(askAfter(times(4, answer), question('q'))).toStrictEqual({ key: 'q', reason });
  });

  it('counts malformed and unusable answers together, and ends for the last of them', () => {
    const poor = [...times(1, 'malformed'), ...times(2, 'unusable')];
    expect(askAfter(poor, question('q'))).toStrictEqual({ key: 'q', reason: 'repeated-ask' });
    expect(askAfter([...poor.slice(1), ...times(1, 'malformed')], question('q'))).toStrictEqual({
      key: 'q',
      reason: 'malformed',
    });
  });

  it('may be asked after a usable answer, which starts the count anew', () => {
    expect(askAfter([[question('q'), undefined]], question('q'))).toBeUndefined();
    expect(
      askAfter([...times(2, 'unusable'), [question('q'), undefined], ...times(2, 'unusable')], question('q')),
    ).toBeUndefined();
  });

  it('counts only the answers that are of no use', () => {
    expect(askAfter([...times(1, 'failed'), ...times(2, 'unusable')], question('q'))).toBeUndefined();
  });

  it('may be asked after a round without it', () => {
    expect(askAfter([...times(1, 'declined'), [question('other'), undefined]], question('q'))).toBeUndefined();
  });

  it('starts the count anew after another question under its key', () => {
    const rounds = [...times(2, 'unusable'), [question('q', { message: 'Really?' }), 'unusable'] as const];
    expect(
      askAfter(
        [
          ...rounds.map(([request, answer]) => [request, answer] as [CheckedRequest, PoorAnswer]),
          ...times(1, 'unusable'),
        ],
        question('q'),
      ),
    ).toBeUndefined();
  });

  it('is the same whatever the order of its members', () => {
    const asked = question('q', { requestedSchema: { type: 'object', properties: {} } });
    const again = { ...asked, params: { requestedSchema: { properties: {}, type: 'object' }, message: 'Sure?' } };
    expect(askAfter([[asked, 'declined']], again)).toStrictEqual({ key: 'q', reason: 'declined' });
  });

  it.each([
    [{}, { note: 'Too long' }],
    [{ note: 'Too long' }, {}],
    [{ note: 'Too long' }, { note: 'Too short' }],
    [{ note: undefined }, {}],
  ])('is the same whatever its note: %j, then %j', (first, second) => {
    expect(askAfter([[question('q', first), 'declined']], question('q', second))).toStrictEqual({
      key: 'q',
      reason: 'declined',
    });
  });

  it.each<[string, CheckedRequest]>([
    ['key', question('r')],
    ['message', question('q', { message: 'Really?' })],
    ['params', question('q', { requestedSchema: {} })],
    ['method', { ...question('q'), method: 'roots/list' }],
  ])('is another one with another %s', (_name, other) => {
    expect(askAfter(times(1, 'declined'), other)).toBeUndefined();
  });

  it.each(['__proto__', 'constructor', 'toString'])('is found under the key %s', (key) => {
    expect(new RepeatedAsks().find([question(key)])).toBeUndefined();
    expect(askAfter([[question(key), 'declined']], question(key))).toStrictEqual({ key, reason: 'declined' });
  });

  it('is found among others: the first that ends the call', () => {
    const asks = new RepeatedAsks();
    asks.remember(
      new Map<CheckedRequest, PoorAnswer | undefined>([
        [question('a'), undefined],
        [question('b'), 'unusable'],
        [question('c'), 'cancelled'],
        [question('d'), 'declined'],
      ]),
    );
    const next = ['e', 'a', 'b', 'd', 'c'].map((key) => question(key));
    expect(asks.find(next)).toStrictEqual({ key: 'd', reason: 'declined' });
  });

  it('is never put more than three times to a person whose answers are of no use', () => {
    const answer = fc.constantFrom<PoorAnswer>('declined', 'cancelled', 'failed', 'malformed', 'unusable');
    fc.assert(
      fc.property(fc.array(answer, { minLength: 10, maxLength: 10 }), (answers) => {
        const asks = new RepeatedAsks();
        let asked = 0;
        for (const given of answers) {
          if (asks.find([question('q')]) !== undefined) break;
          asks.remember(new Map([[question('q'), given]]));
          asked += 1;
        }
        expect(asked).toBeLessThanOrEqual(3);
      }),
    );
  });
});
