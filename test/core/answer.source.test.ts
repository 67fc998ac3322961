import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import {
  readAnswer,
  readElicitResult,
  readRootsResult,
  readSamplingResult,
} from '../../packages/shim/src/core/answer.ts';
import type { Json } from '../support/json.ts';
import { jsonWith } from './arbitraries.ts';
import { deepObject, expectQuick, wideObject } from './quick.ts';
import { validatorFor } from './spec-schemas.ts';

// A property takes hundreds of cases: on a busy machine longer than the usual limit of a test.
vi.setConfig({ testTimeout: 60_000 });

const NO_OBJECT = [[undefined], [null], ['accept'], [[]], [[{ action: 'accept' }]], [1], [true]];
const TEXT = { type: 'text', text: 'short' };

describe('an elicitation result', () => {
  it.each<[Json]>([
    [{ action: 'accept', content: { a: 'x', b: 1.5, c: true, d: ['x'], e: [] } }],
    [{ action: 'accept', content: {} }],
    [{ action: 'accept' }],
    [{ action: 'decline' }],
    [{ action: 'cancel', _meta: { a: 1 } }],
  ])('is read as it is: %j', (value) => {
    expect(readElicitResult(value)).toBe(value);
  });

  it.each<[Json, Json]>([
    [{ action: 'accept', content: null }, { action: 'accept' }],
    [
      { action: 'accept', content: undefined, more: 1 },
      { action: 'accept', more: 1 },
    ],
    [{ action: 'decline', content: {} }, { action: 'decline' }],
    [{ action: 'decline', content: null }, { action: 'decline' }],
    [
      { action: 'cancel', content: { name: 'Ada' }, _meta: {} },
      { action: 'cancel', _meta: {} },
    ],
    [{ action: 'decline', content: 'no content' }, { action: 'decline' }],
  ])('is read without content that means nothing: %j', (value, read) => {
    expect(readElicitResult(value)).toStrictEqual(read);
  });

  it.each<[unknown]>([
    ...(NO_OBJECT as [unknown][]),
    [{}],
    [{ action: 'accepted' }],
    [{ action: 'Accept' }],
    [{ action: ['accept'] }],
    [{ action: 'toString' }],
    [Object.create({ action: 'accept' })],
    [JSON.parse('{"__proto__":{"action":"accept"}}')],
    [{ action: 'accept', content: 'yes' }],
    [{ action: 'accept', content: [] }],
    [{ action: 'accept', content: true }],
    [{ action: 'accept', content: { a: null } }],
    [{ action: 'accept', content: { a: {} } }],
    [{ action: 'accept', content: { a: [1] } }],
    [{ action: 'accept', content: { a: [['x']] } }],
    [{ action: 'accept', content: { a: Number.NaN } }],
    [JSON.parse('{"action":"accept","content":{"__proto__":null}}')],
  ])('is none: %j', (value) => {
    expect(readElicitResult(value)).toBeUndefined();
  });
});

describe('the content of an elicitation result', () => {
  const read = (content: Json) => readElicitResult({ action: 'accept', content });

  it.each<[string, () => Json]>([
    ['1 000 members', () => wideObject(1_000, true)],
    ['262 144 characters, the name among them', () => ({ abcd: 'x'.repeat(262_140) })],
    ['262 144 characters in two texts', () => ({ a: 'x'.repeat(131_071), b: 'x'.repeat(131_071) })],
    ['131 071 entries of a list of one character, which count one more each', () => ({ ab: Array(131_071).fill('x') })],
    ['262 143 empty entries of a list', () => ({ a: Array(262_143).fill('') })],
  ])('may have %s', (_name, content) => {
    const answer = { action: 'accept', content: content() };
    expect(readElicitResult(answer)).toBe(answer);
  });

  it.each<[string, () => Json]>([
    ['1 001 members', () => wideObject(1_001, true)],
    ['262 145 characters, the name among them', () => ({ abcd: 'x'.repeat(262_141) })],
    ['262 145 characters in two texts', () => ({ a: 'x'.repeat(131_072), b: 'x'.repeat(131_071) })],
    ['262 145 characters in a name', () => ({ ['x'.repeat(262_145)]: true })],
    ['131 072 entries of a list of one character', () => ({ ab: Array(131_072).fill('x') })],
    ['262 144 empty entries of a list', () => ({ a: Array(262_144).fill('') })],
  ])('is none with %s', (_name, content) => {
    expect(read(content())).toBeUndefined();
  });

  it('is not read where the answer is no accept, however large', () => {
    expect(readElicitResult({ action: 'decline', content: wideObject(1_001, true) })).toStrictEqual({
      action: 'decline',
    });
  });
});

describe('a sampling result', () => {
  it.each<[Json]>([
    [{ role: 'assistant', model: 'm', content: TEXT }],
    [{ role: 'user', model: '', content: TEXT, stopReason: 'endTurn' }],
    [{ role: 'assistant', model: 'm', content: [TEXT, { type: 'tool_use', id: '1', name: 'n', input: {} }] }],
    [{ role: 'assistant', model: 'm', content: [] }],
  ])('is read as it is: %j', (value) => {
    expect(readSamplingResult(value)).toBe(value);
  });

  it.each<[unknown]>([
    ...(NO_OBJECT as [unknown][]),
    [{}],
    [{ role: 'assistant', model: 'm' }],
    [{ role: 'assistant', content: TEXT }],
    [{ model: 'm', content: TEXT }],
    [{ role: 'system', model: 'm', content: TEXT }],
    [{ role: 'assistant', model: 1, content: TEXT }],
    [{ role: 'assistant', model: 'm', content: null }],
    [{ role: 'assistant', model: 'm', content: 'short' }],
    [{ role: 'assistant', model: 'm', content: { type: 'text' } }],
    [{ role: 'assistant', model: 'm', content: [TEXT, null] }],
    [{ role: 'assistant', model: 'm', content: TEXT, stopReason: 5 }],
    [Object.create({ role: 'assistant', model: 'm', content: TEXT })],
  ])('is none: %j', (value) => {
    expect(readSamplingResult(value)).toBeUndefined();
  });
});

describe('a roots result', () => {
  it.each<[Json]>([
    [{ roots: [] }],
    [{ roots: [{ uri: 'file:///home' }, { uri: 'file://host/share', name: 'share', _meta: {} }] }],
  ])('is read as it is: %j', (value) => {
    expect(readRootsResult(value)).toBe(value);
  });

  it.each<[unknown]>([
    ...(NO_OBJECT as [unknown][]),
    [{}],
    [{ roots: null }],
    [{ roots: {} }],
    [{ roots: [null] }],
    [{ roots: ['file:///home'] }],
    [{ roots: [{}] }],
    [{ roots: [{ uri: 1 }] }],
    [{ roots: [{ uri: 'https://a.example' }] }],
    [{ roots: [{ uri: '/home' }] }],
    [{ roots: [{ uri: 'file:///home', name: 1 }] }],
    [{ roots: [{ uri: 'file:///home', name: null }] }],
    [{ roots: [Object.create({ uri: 'file:///home' })] }],
    [Object.create({ roots: [] })],
  ])('is none: %j', (value) => {
    expect(readRootsResult(value)).toBeUndefined();
  });
});

describe('readAnswer', () => {
  const ELICITED = { action: 'decline' };
  const SAMPLED = { role: 'assistant', model: 'm', content: TEXT };
  const ROOTS = { roots: [] };
  it.each([
    ['elicitation/create', ELICITED, ELICITED],
    ['elicitation/create', SAMPLED, undefined],
    ['elicitation/create', ROOTS, undefined],
    ['sampling/createMessage', SAMPLED, SAMPLED],
    ['sampling/createMessage', ELICITED, undefined],
    ['sampling/createMessage', ROOTS, undefined],
    ['roots/list', ROOTS, ROOTS],
    ['roots/list', ELICITED, undefined],
    ['roots/list', SAMPLED, undefined],
  ] as const)('reads as the answer to %s: %j', (method, value, read) => {
    expect(readAnswer(method, value)).toBe(read);
  });

  it.each([
    ['elicitation/create', 'ElicitResult', { action: 'accept', content: { a: 'x', b: true, c: ['x'] }, _meta: {} }],
    ['sampling/createMessage', 'CreateMessageResult', { ...SAMPLED, stopReason: 'endTurn' }],
    ['roots/list', 'ListRootsResult', { roots: [{ uri: 'file:///a', name: 'a' }] }],
  ] as const)('reads as the answer to %s nothing that the specification refuses', (method, name, right) => {
    const validate = validatorFor('2025-11-25', name);
    const words = jsonWith(['a', 'type', 'text', 'uri', 'name']);
    const wrong = fc.tuple(fc.constantFrom(...Object.keys(right)), words).filter(([member]) => member !== '_meta');
    let read = 0;
    fc.assert(
      fc.property(wrong, ([member, value]) => {
        const result = readAnswer(method, { ...right, [member]: value });
        if (result === undefined) return;
        read += 1;
        // schema.json narrows the numbers of a form to whole ones, where the specification says number.
        validate(JSON.parse(JSON.stringify(result, (_name, part) => (part === -1.5 ? -1 : part))));
        expect(validate.errors ?? []).toStrictEqual([]);
      }),
      { numRuns: 500 },
    );
    expect(read).toBeGreaterThan(0);
  });

  it('takes time in proportion to the answer', () => {
    const content = wideObject(50_000, Array(10).fill('x'.repeat(1_000)));
    expect(expectQuick(() => readElicitResult({ action: 'accept', content }))).toBeUndefined();
    const long = { a: Array(5_000_000).fill('') };
    expect(expectQuick(() => readElicitResult({ action: 'accept', content: long }))).toBeUndefined();
    expect(
      expectQuick(() => readElicitResult({ action: 'accept', content: { a: deepObject(100_000) } })),
    ).toBeUndefined();
    const roots = Array.from({ length: 50_000 }, (_, index) => ({ uri: `file:///${index}` }));
    expect(expectQuick(() => readRootsResult({ roots }))).toBeDefined();
    const blocks = Array(50_000).fill({ type: 'text', text: 'x'.repeat(1_000) });
    expect(expectQuick(() => readSamplingResult({ role: 'assistant', model: 'm', content: blocks }))).toBeDefined();
  });
});
