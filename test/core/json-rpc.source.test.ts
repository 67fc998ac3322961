import * as newest from '@modelcontextprotocol/sdk/types.js';
import fc, { type Arbitrary } from 'fast-check';
import * as oldest from 'sdk-v1-oldest/types.js';
import { describe, expect, it, vi } from 'vitest';
import {
  errorAnswer,
  INTERNAL_ERROR,
  INVALID_PARAMS,
  INVALID_REQUEST,
  isAnswer,
  isNotification,
  isRequest,
  isRequestId,
  METHOD_NOT_FOUND,
  resultAnswer,
  UNSUPPORTED_VERSION,
} from '../../packages/shim/src/core/json-rpc.ts';
import { HOSTILE_NAMES } from './arbitraries.ts';
import { deepObject, expectQuick, wideObject } from './quick.ts';

// A property takes hundreds of cases: on a busy machine longer than the usual limit of a test.
vi.setConfig({ testTimeout: 60_000 });

const RELATED_TASK = 'io.modelcontextprotocol/related-task';

/** Mostly `right`, now and then one of `wrong`; `ABSENT` leaves the member out. */
const ABSENT = Symbol('absent');
function mostly(right: readonly unknown[], wrong: readonly unknown[]): Arbitrary<unknown> {
  return fc.oneof(
    { weight: 8, arbitrary: fc.constantFrom(...right) },
    { weight: 1, arbitrary: fc.constantFrom(...wrong) },
  );
}

function object(members: Record<string, Arbitrary<unknown>>, extra: readonly string[]): Arbitrary<unknown> {
  const more = fc.oneof(
    { weight: 8, arbitrary: fc.constant([]) },
    { weight: 1, arbitrary: fc.subarray([...extra, ...HOSTILE_NAMES], { maxLength: 2 }) },
  );
  return fc.tuple(fc.record(members), more).map(([given, names]) => {
    const entries = Object.entries(given).filter(([, value]) => value !== ABSENT);
    return Object.fromEntries([...entries, ...names.map((name) => [name, {}])]);
  });
}

const NOT_AN_ID = [ABSENT, undefined, null, 1.5, true, {}, [], Number.NaN, 2 ** 53, Number.POSITIVE_INFINITY];
const NOT_AN_OBJECT = [undefined, null, 'text', 1, [], [{}], true];

const meta = object(
  {
    progressToken: mostly([ABSENT, 'token', 0, -0, 7], NOT_AN_ID),
    [RELATED_TASK]: mostly(
      [ABSENT, { taskId: 't' }, { taskId: 't', more: 1 }],
      [undefined, null, {}, 't', [], { taskId: 1 }],
    ),
  },
  ['trace'],
);
const params = object({ _meta: fc.oneof(mostly([ABSENT, {}], NOT_AN_OBJECT), meta) }, ['name', 'inputResponses']);
const message = object(
  {
    jsonrpc: mostly(['2.0'], [ABSENT, undefined, null, '1.0', 2, ['2.0']]),
    id: mostly([ABSENT, 0, -0, 1, -1, '', 'id', 2 ** 53 - 1], NOT_AN_ID),
    method: mostly(['tools/call', '', 'toString'], [ABSENT, undefined, null, 1, {}, ['tools/call']]),
    params: fc.oneof(mostly([ABSENT, undefined, {}], NOT_AN_OBJECT), params),
  },
  ['result', 'error', 'extra', 'JSONRPC'],
);
const anyMessage = fc.oneof(
  { weight: 30, arbitrary: message },
  { weight: 1, arbitrary: fc.constantFrom<unknown>(null, undefined, [], [{ jsonrpc: '2.0', method: 'm' }], 'm', 1) },
);

describe.each([
  ['newest', newest],
  ['oldest', oldest],
])('the guards, beside the %s SDK v1', (_name, sdk) => {
  it('agree with its isJSONRPCRequest on every near miss', () => {
    const taken = { yes: 0, no: 0 };
    fc.assert(
      fc.property(anyMessage, (value) => {
        taken[isRequest(value) ? 'yes' : 'no'] += 1;
        expect(isRequest(value)).toBe(sdk.isJSONRPCRequest(value));
      }),
      { numRuns: 3_000 },
    );
    expect(Math.min(taken.yes, taken.no)).toBeGreaterThan(300);
  });

  it('agree with its isJSONRPCNotification on every near miss', () => {
    const taken = { yes: 0, no: 0 };
    fc.assert(
      fc.property(anyMessage, (value) => {
        taken[isNotification(value) ? 'yes' : 'no'] += 1;
        expect(isNotification(value)).toBe(sdk.isJSONRPCNotification(value));
      }),
      { numRuns: 3_000 },
    );
    expect(Math.min(taken.yes, taken.no)).toBeGreaterThan(100);
  });

  it('take for an answer whatever it takes for one', () => {
    const answers = fc.record(
      {
        jsonrpc: fc.constant('2.0'),
        id: fc.constantFrom<unknown>(0, 'id', 1.5, null),
        result: fc.constantFrom<unknown>({}, { _meta: {} }, null, 'text'),
        error: fc.constantFrom<unknown>({ code: -1, message: 'm' }, {}, null),
        method: fc.constant('m'),
      },
      { requiredKeys: ['jsonrpc', 'id'] },
    );
    fc.assert(
      fc.property(answers, (value) => {
        const isSdkAnswer =
          sdk.JSONRPCResultResponseSchema.safeParse(value).success || sdk.isJSONRPCErrorResponse(value);
        expect(!isSdkAnswer || isAnswer(value)).toBe(true);
      }),
    );
  });
});

describe('isRequest', () => {
  it.each([
    ['a member beyond the four', { jsonrpc: '2.0', id: 1, method: 'm', extra: 1 }],
    ['an own member named __proto__', JSON.parse('{"jsonrpc":"2.0","id":1,"method":"m","__proto__":{}}')],
    ['params that are a list', { jsonrpc: '2.0', id: 1, method: 'm', params: [] }],
    ['params that are null', { jsonrpc: '2.0', id: 1, method: 'm', params: null }],
    ['a _meta that is no object', { jsonrpc: '2.0', id: 1, method: 'm', params: { _meta: 'x' } }],
    [
      'a progress token that is null',
      { jsonrpc: '2.0', id: 1, method: 'm', params: { _meta: { progressToken: null } } },
    ],
    [
      'a progress token with a fraction',
      { jsonrpc: '2.0', id: 1, method: 'm', params: { _meta: { progressToken: 0.5 } } },
    ],
    ['a related task without an id', { jsonrpc: '2.0', id: 1, method: 'm', params: { _meta: { [RELATED_TASK]: {} } } }],
    ['an id that is null', { jsonrpc: '2.0', id: null, method: 'm' }],
    ['no id', { jsonrpc: '2.0', method: 'm' }],
    ['another version', { jsonrpc: '1.0', id: 1, method: 'm' }],
    ['a method that is no text', { jsonrpc: '2.0', id: 1, method: 1 }],
  ])('refuses %s', (_name, value) => {
    expect(isRequest(value)).toBe(false);
  });

  it('takes the id 0', () => {
    expect(isRequest({ jsonrpc: '2.0', id: 0, method: 'm' })).toBe(true);
  });

  it('takes no more time for wide and deep params, and little for many members', () => {
    const wide = wideObject(50_000, 'x'.repeat(100));
    const params = { ...wide, deep: deepObject(100_000), _meta: wide };
    expect(expectQuick(() => isRequest({ jsonrpc: '2.0', id: 1, method: 'm', params }))).toBe(true);
    expect(expectQuick(() => isRequest({ jsonrpc: '2.0', id: 1, method: 'm', ...wide }))).toBe(false);
  });
});

describe('isNotification', () => {
  it('refuses a message with an id, even one that is undefined', () => {
    expect(isNotification({ jsonrpc: '2.0', method: 'm', id: undefined })).toBe(false);
  });

  it('refuses a member beyond the three', () => {
    expect(isNotification({ jsonrpc: '2.0', method: 'm', result: {} })).toBe(false);
  });
});

describe('isAnswer', () => {
  it.each([
    [{ jsonrpc: '2.0', id: 0, result: {} }],
    [{ jsonrpc: '2.0', id: 'a', error: { code: 1, message: 'm' } }],
    [{ jsonrpc: '2.0', id: 'a', result: null }],
    [{ jsonrpc: '2.0', id: 'a', error: 'no object' }],
    [{ jsonrpc: '2.0', id: 'a', result: {}, error: {}, extra: 1 }],
  ])('takes %j, whatever it carries', (value) => {
    expect(isAnswer(value)).toBe(true);
  });

  it.each([
    [{ jsonrpc: '2.0', id: 'a' }],
    [{ jsonrpc: '2.0', id: null, result: {} }],
    [{ jsonrpc: '2.0', result: {} }],
    [{ jsonrpc: '2.0', id: 'a', method: 'm', result: {} }],
    [null],
    [[]],
  ])('refuses %j', (value) => {
    expect(isAnswer(value)).toBe(false);
  });
});

describe('isRequestId', () => {
  it.each([
    ['', true],
    ['a', true],
    [0, true],
    [-1, true],
    [1.5, false],
    [null, false],
    [undefined, false],
    [{}, false],
  ])('says of %j: %s', (value, isId) => {
    expect(isRequestId(value)).toBe(isId);
  });
});

describe('the answers that are made here', () => {
  it('carry the result', () => {
    expect(resultAnswer(0, { a: 1 })).toStrictEqual({ jsonrpc: '2.0', id: 0, result: { a: 1 } });
  });

  it('carry the error', () => {
    expect(errorAnswer('x', { code: INVALID_REQUEST, message: 'm' })).toStrictEqual({
      jsonrpc: '2.0',
      id: 'x',
      error: { code: -32600, message: 'm' },
    });
  });

  it('know the code of an internal error', () => {
    expect(INTERNAL_ERROR).toBe(-32603);
  });
});

describe('the codes', () => {
  it('are those of JSON-RPC 2.0, section 5.1, and of the specification', () => {
    const { InvalidRequest, MethodNotFound, InvalidParams, InternalError } = newest.ErrorCode;
    expect([INVALID_REQUEST, METHOD_NOT_FOUND, INVALID_PARAMS, INTERNAL_ERROR]).toStrictEqual([
      InvalidRequest,
      MethodNotFound,
      InvalidParams,
      InternalError,
    ]);
    expect(UNSUPPORTED_VERSION).toBe(-32_022);
  });
});
