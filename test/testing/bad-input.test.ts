import {
  accept,
  checkReentrancy,
  decline,
  fail,
  formatDifferences,
  formatReentrancy,
  later,
  raw,
  roots,
  runOnBothEras,
  sample,
} from 'mcp-dual-era/testing';
import { describe, expect, it } from 'vitest';
import { callOf, playFactory } from './play-factory.ts';

const request = callOf();
const LIST = 'accept(), decline(), cancel(), sample(), roots(), fail(), raw(), later(), never(), disconnect()';

/** Each wrong script, the class of what is thrown, and its message. */
const WRONG: readonly (readonly [string, unknown, ErrorConstructor, string])[] = [
  ['script', null, TypeError, 'script must be an object, got null'],
  ['request', {}, TypeError, 'request must be an object, got undefined'],
  [
    'request.method',
    { request: { ...request, method: 'tools/list' } },
    RangeError,
    "request.method must be 'tools/call' or 'prompts/get' or 'resources/read', got \"tools/list\"",
  ],
  ['request.params', { request: { ...request, params: 3 } }, TypeError, 'request.params must be an object, got 3'],
  ['clientInfo', { request, clientInfo: 'me' }, TypeError, 'clientInfo must be an object, got a string'],
  [
    'clientInfo.name',
    { request, clientInfo: { version: '1' } },
    TypeError,
    'clientInfo.name must be a string, got undefined',
  ],
  [
    'clientInfo.version',
    { request, clientInfo: { name: 'x', version: 1 } },
    TypeError,
    'clientInfo.version must be a string, got 1',
  ],
  ['callerMeta', { request, callerMeta: [] }, TypeError, 'callerMeta must be an object, got an array'],
  ['options', { request, options: [] }, TypeError, 'options must be an object, got an array'],
  ['options.maxRounds', { request, options: { maxRounds: 0 } }, RangeError, ', got 0'],
  [
    'options.ports',
    { request, options: { ports: {} } },
    TypeError,
    'options.ports must be left out, since each run has its own, got an object',
  ],
  ['pushCalls', { request, pushCalls: 'maybe' }, RangeError, "pushCalls must be 'reject' or 'replay', got \"maybe\""],
  ['timeout', { request, timeout: 0 }, RangeError, 'timeout must be an integer from 1 to 2147483647, got 0'],
  ['timeout of another type', { request, timeout: '1' }, TypeError, 'timeout must be a number, got "1"'],
  [
    'answers',
    { request, answers: 'yes' },
    TypeError,
    'answers must be a list, an object by key, or a function, got "yes"',
  ],
  [
    'answers of null',
    { request, answers: null },
    TypeError,
    'answers must be a list, an object by key, or a function, got null',
  ],
  [
    'an answer',
    { request, answers: [accept(), { action: 'accept' }] },
    TypeError,
    `answers[1] must be an answer, made by ${LIST}, got an object`,
  ],
  [
    'an answer by key',
    { request, answers: { a: 'yes' } },
    TypeError,
    `answers["a"] must be an answer, made by ${LIST}, got "yes"`,
  ],
  [
    'an answer in a list',
    { request, answers: { a: [decline(), decline] } },
    TypeError,
    `answers["a"][1] must be an answer, made by ${LIST}, got a function`,
  ],
  [
    'a list in a list',
    { request, answers: [[accept()]] },
    TypeError,
    `answers[0] must be an answer, made by ${LIST}, got an array`,
  ],
  [
    'later without an answer',
    { request, answers: [{ said: 'later' }] },
    TypeError,
    'answers[0].ms must be a number, got undefined',
  ],
  [
    'later of nothing',
    { request, answers: [{ said: 'later', ms: 1 }] },
    TypeError,
    `answers[0].answer must be an answer, made by ${LIST}, got undefined`,
  ],
  [
    'later before now',
    { request, answers: [{ said: 'later', ms: -5, answer: decline() }] },
    RangeError,
    'answers[0].ms must be an integer from 1 to 2147483647, got -5',
  ],
  [
    'content',
    { request, answers: { q: { said: 'accept', content: 5 } } },
    TypeError,
    'answers["q"].content must be an object, got 5',
  ],
  [
    'a result',
    { request, answers: { q: { said: 'sample' } } },
    TypeError,
    'answers["q"].result must be an object, got undefined',
  ],
  ['a raw result', { request, answers: [{ said: 'raw' }] }, TypeError, 'answers[0].result must be JSON, got undefined'],
  [
    'roots',
    { request, answers: [{ said: 'roots', roots: 'file:///' }] },
    TypeError,
    'answers[0].roots must be a list of roots, got "file:///"',
  ],
  [
    'a code',
    { request, answers: [{ said: 'fail', message: 'x' }] },
    TypeError,
    'answers[0].code must be an integer, got undefined',
  ],
  [
    'a message',
    { request, answers: [{ said: 'fail', code: 1 }] },
    TypeError,
    'answers[0].message must be a string, got undefined',
  ],
  [
    'a BigInt',
    { request, answers: [{ said: 'accept', content: { a: [1, 2n] } }] },
    TypeError,
    'answers[0].content.a[1] must be JSON, got 2n',
  ],
  [
    'a BigInt in the call',
    { request: { ...request, params: { name: 'play', arguments: { n: 1n } } } },
    TypeError,
    'request.params.arguments.n must be JSON, got 1n',
  ],
  [
    'a Map',
    { request, answers: new Map() },
    TypeError,
    'answers must be a list, an object by key, or a function, got a Map',
  ],
  [
    'inputResponses',
    { request: { ...request, params: { name: 'play', inputResponses: {} } } },
    TypeError,
    'request.params.inputResponses must be left out, since the kit says it, got an object',
  ],
  [
    'requestState',
    { request: { ...request, params: { name: 'play', requestState: 'x' } } },
    TypeError,
    'request.params.requestState must be left out, since the kit says it, got "x"',
  ],
  [
    'an unknown member',
    { request, answer: [] },
    RangeError,
    "each member of the script must be 'request' or 'answers'",
  ],
];

describe('runOnBothEras and checkReentrancy', () => {
  it.each(WRONG)('refuse %s', async (_name, script, Thrown, message) => {
    const { factory } = playFactory(() => 'done');
    for (const run of [runOnBothEras, checkReentrancy]) {
      const error: Error = await run(factory, script as never).then(
        () => new Error('It ran'),
        (thrown) => thrown,
      );
      expect(error).toBeInstanceOf(Thrown);
      expect(error.message).toContain(message);
      expect(error.message).toMatch(/, got [^,]+$/);
    }
  });

  it('refuse a factory that is none', async () => {
    const message = 'factory must be a function that makes a server, got an object';
    for (const run of [runOnBothEras, checkReentrancy]) {
      await expect(run({} as never, { request })).rejects.toThrow(message);
    }
  });

  it('refuse what a function of the script returns, when it is no answer', async () => {
    const { factory } = playFactory(async ({ server }) => String(await server.listRoots()));
    await expect(runOnBothEras(factory, { request, answers: () => 'yes' as never })).rejects.toThrow(
      `the answer to question number 1 (roots) must be an answer, made by ${LIST}, got "yes"`,
    );
  });
});

describe('runOnBothEras', () => {
  it('refuses a function of the script that takes its time, and takes over what becomes of it', async () => {
    const { factory } = playFactory(async ({ server }) => String(await server.listRoots()));
    const answers = async () => {
      throw new Error('no answer');
    };
    await expect(runOnBothEras(factory, { request, answers: answers as never })).rejects.toThrow(
      new TypeError('the answer to question number 1 (roots) must be given at once, got a promise'),
    );
  });
});

describe('checkReentrancy', () => {
  it.each([
    [
      'a probe that takes its time',
      { probe: async () => Promise.reject(new Error('no counters')) },
      'what probe returns must be an object of counters, not later but at once, got a promise',
    ],
    ['options', null, 'options must be an object, got null'],
    ['probe', { probe: {} }, 'probe must be a function, got an object'],
    ['what probe returns', { probe: () => 3 }, 'what probe returns must be an object of counters, got 3'],
    ['a counter', { probe: () => ({ mails: '3' }) }, 'the counter "mails" of probe must be a whole number, got "3"'],
  ])('refuses %s', async (_name, options, message) => {
    const { factory } = playFactory(() => 'done');
    await expect(checkReentrancy(factory, { request }, options as never)).rejects.toThrow(new TypeError(message));
  });

  it('has a recorder that refuses an effect without a name', async () => {
    const { factory } = playFactory(({ context }) => {
      try {
        context.effects.note('');
      } catch (error) {
        return String(error);
      }
      return 'noted';
    });
    const { runs } = await checkReentrancy(factory, { request });
    expect(JSON.stringify(runs[0]?.modern.result)).toContain('TypeError: name must be the name of a side effect, got');
  });
});

describe('a builder', () => {
  it.each([
    ['accept', () => accept('Ada' as never), 'content must be an object, got a string'],
    ['sample', () => sample(3 as never), 'result must be an object, got 3'],
    ['roots', () => roots('file:///' as never), 'roots must be a list of roots or of their URIs, got "file:///"'],
    [
      'fail with no code',
      () => fail('x' as never, 'no'),
      'code must be the code of a JSON-RPC error, an integer, got "x"',
    ],
    ['fail with no message', () => fail(-1, 1 as never), 'message must be a string, got 1'],
    ['accept of a BigInt', () => accept({ n: 1n } as never), 'content.n must be JSON, got 1n'],
    ['raw of nothing', () => raw(undefined), 'result must be JSON, got undefined'],
    ['later with no time', () => later('1' as never, decline()), 'ms must be a number, got "1"'],
    ['later with no answer', () => later(1, {} as never), `answer must be an answer, made by ${LIST}, got an object`],
  ])('%s refuses what it cannot take', (_name, build, message) => {
    expect(build).toThrow(new TypeError(message));
  });

  it('later refuses a time out of bounds', () => {
    expect(() => later(0, decline())).toThrow(new RangeError('ms must be an integer from 1 to 2147483647, got 0'));
  });
});

describe('formatting', () => {
  it('refuses what is no report', () => {
    expect(() => formatDifferences({} as never)).toThrow('differences must be a list of differences, got an object');
    expect(() => formatReentrancy(null as never)).toThrow('report must be a report of checkReentrancy, got null');
  });
});
