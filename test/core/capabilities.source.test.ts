import * as newest from '@modelcontextprotocol/sdk/types.js';
import fc from 'fast-check';
import * as oldest from 'sdk-v1-oldest/types.js';
import { describe, expect, it, vi } from 'vitest';
import { cleanCapabilities, declaredKinds, requiredCapabilities } from '../../packages/shim/src/core/capabilities.ts';
import type { Json } from '../support/json.ts';
import { jsonWith } from './arbitraries.ts';
import { deepObject, expectQuick, wideObject } from './quick.ts';

// A property takes hundreds of cases: on a busy machine longer than the usual limit of a test.
vi.setConfig({ testTimeout: 60_000 });

const ANY_CAPABILITIES = jsonWith([
  ...['elicitation', 'form', 'url', 'applyDefaults', 'sampling', 'tools', 'context', 'roots', 'listChanged'],
  ...['tasks', 'requests', 'list', 'cancel', 'create', 'createMessage', 'experimental', 'extensions', 'x/y'],
]);

describe('declaredKinds', () => {
  it.each<[unknown, string[]]>([
    [{}, []],
    [{ elicitation: {} }, ['form']],
    [{ elicitation: { form: {} } }, ['form']],
    [{ elicitation: { url: {} } }, ['url']],
    [{ elicitation: { form: {}, url: {} } }, ['form', 'url']],
    [{ elicitation: { other: {} } }, []],
    [{ elicitation: { form: true } }, []],
    [{ elicitation: { form: null, url: [] } }, []],
    [{ elicitation: true }, []],
    [{ elicitation: [] }, []],
    [{ elicitation: null }, []],
    [{ sampling: {} }, ['sampling']],
    [{ sampling: { tools: {} } }, ['sampling', 'sampling.tools']],
    [{ sampling: { tools: true } }, ['sampling']],
    [{ sampling: { context: {} } }, ['sampling']],
    [{ sampling: 1 }, []],
    [{ roots: {} }, ['roots']],
    [{ roots: { listChanged: true } }, ['roots']],
    [{ roots: true }, []],
    [{ form: {}, url: {}, tools: {} }, []],
    [null, []],
    [undefined, []],
    [true, []],
    [[], []],
    [JSON.parse('{"__proto__":{"roots":{},"elicitation":{}}}'), []],
    [JSON.parse('{"elicitation":{"__proto__":{"form":{}}}}'), []],
    [Object.create({ roots: {}, sampling: {} }), []],
  ])('reads %j as %j', (capabilities, kinds) => {
    expect([...declaredKinds(capabilities)]).toStrictEqual(kinds);
  });
});

describe('requiredCapabilities', () => {
  it.each<[Parameters<typeof requiredCapabilities>[0], Json]>([
    [[], {}],
    [['form'], { elicitation: { form: {} } }],
    [['form', 'url'], { elicitation: { form: {}, url: {} } }],
    [['sampling'], { sampling: {} }],
    [['sampling.tools', 'sampling'], { sampling: { tools: {} } }],
    [['sampling', 'sampling.tools'], { sampling: { tools: {} } }],
    [['roots', 'url'], { roots: {}, elicitation: { url: {} } }],
  ])('says %j as %j', (kinds, required) => {
    expect(requiredCapabilities(kinds)).toStrictEqual(required);
  });

  it('names what would declare exactly the kinds that are missing', () => {
    const kinds = fc.subarray(['form', 'url', 'sampling', 'sampling.tools', 'roots'] as const);
    fc.assert(
      fc.property(kinds, (missing) => {
        const implied = missing.includes('sampling.tools') ? [...missing, 'sampling'] : missing;
        expect(new Set(declaredKinds(requiredCapabilities(missing)))).toStrictEqual(new Set(implied));
      }),
    );
  });
});

describe('cleanCapabilities', () => {
  it.each<[unknown, Json]>([
    [null, {}],
    [true, {}],
    [[], {}],
    [{ elicitation: true, roots: 1, sampling: null, tasks: [], extra: 'x' }, {}],
    [{ elicitation: {} }, { elicitation: {} }],
    [{ elicitation: { form: true } }, {}],
    [{ elicitation: { form: true, url: {} } }, { elicitation: { url: {} } }],
    [{ elicitation: { form: { applyDefaults: 'yes', more: 1 } } }, { elicitation: { form: { more: 1 } } }],
    [{ elicitation: { form: { applyDefaults: true } } }, { elicitation: { form: { applyDefaults: true } } }],
    [{ elicitation: { url: { applyDefaults: 'yes' } } }, { elicitation: { url: { applyDefaults: 'yes' } } }],
    [{ sampling: { tools: true, context: {} } }, { sampling: { context: {} } }],
    [{ roots: { listChanged: 'yes' } }, { roots: {} }],
    [{ roots: { listChanged: true, more: 'kept' } }, { roots: { listChanged: true, more: 'kept' } }],
    [{ experimental: { a: {}, b: 1 } }, { experimental: { a: {} } }],
    [{ extensions: { 'x/y': {}, 'x/z': [] } }, { extensions: { 'x/y': {} } }],
    [{ tasks: { list: {}, cancel: true } }, { tasks: { list: {} } }],
    [
      { tasks: { requests: { sampling: { createMessage: 1 }, elicitation: { create: {} }, tools: 2 } } },
      { tasks: { requests: { sampling: {}, elicitation: { create: {} } } } },
    ],
    [{ tasks: { requests: 1 } }, { tasks: {} }],
    [{ tasks: { list: { a: 1 }, more: { b: 'kept' } } }, { tasks: { list: { a: 1 }, more: { b: 'kept' } } }],
    [{ unknown: { any: 1 } }, { unknown: { any: 1 } }],
  ])('makes of %j %j', (capabilities, clean) => {
    expect(cleanCapabilities(capabilities)).toStrictEqual(clean);
  });

  it.each(['__proto__', 'constructor', 'toString'])('keeps a capability named %s as an own member', (name) => {
    const clean = cleanCapabilities(JSON.parse(`{"${name}":{"a":1}}`));
    expect(JSON.stringify(clean)).toBe(`{"${name}":{"a":1}}`);
    expect(Object.getPrototypeOf(clean)).toBe(Object.prototype);
  });

  it('changes nothing in what it is given', () => {
    fc.assert(
      fc.property(ANY_CAPABILITIES, (capabilities) => {
        const before = JSON.stringify(capabilities);
        cleanCapabilities(capabilities);
        expect(JSON.stringify(capabilities)).toBe(before);
      }),
    );
  });

  it('declares what was declared: no kind more and none less', () => {
    fc.assert(
      fc.property(ANY_CAPABILITIES, (capabilities) => {
        expect(declaredKinds(cleanCapabilities(capabilities))).toStrictEqual(declaredKinds(capabilities));
      }),
      { numRuns: 1_000 },
    );
  });

  it.each([
    ['newest', newest],
    ['oldest', oldest],
  ])('leaves nothing that the %s SDK v1 refuses the handshake for', (_name, sdk) => {
    fc.assert(
      fc.property(ANY_CAPABILITIES, (capabilities) => {
        const read = sdk.ClientCapabilitiesSchema.safeParse(cleanCapabilities(capabilities));
        expect(read.error).toBeUndefined();
        expect(read.data?.elicitation?.form !== undefined).toBe(declaredKinds(capabilities).has('form'));
      }),
      { numRuns: 1_000 },
    );
  });

  it('takes time in proportion to the members, however deep they are', () => {
    const wide = wideObject(50_000, deepObject(100_000));
    expectQuick(() => cleanCapabilities({ elicitation: wide, experimental: wide, tasks: { requests: wide }, ...wide }));
    expect(Object.keys(Object.prototype)).toStrictEqual([]);
  });
});
