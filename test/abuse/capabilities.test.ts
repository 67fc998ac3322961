import { inputContext, withInputRequiredShim } from 'mcp-dual-era';
import { afterEach, describe, expect, it } from 'vitest';
import { connectMemory, type MemorySession } from '../support/connect-memory.ts';
import type { Json } from '../support/json.ts';
import { sdkNamed } from '../support/sdk.ts';

const KINDS = ['form', 'url', 'sampling', 'sampling.tools', 'roots'] as const;

/** Opens a connection with `capabilities`; the tool tells what the shim and SDK v1 make of them. */
async function open(capabilities: unknown, sdk: 'newest' | 'oldest') {
  const { McpServer } = sdkNamed(sdk);
  const server = new McpServer({ name: 'capabilities', version: '1' });
  server.registerTool('tell', {}, async (extra) => {
    const context = inputContext(extra);
    const told = { shim: KINDS.filter((kind) => context.canAsk(kind)), v1: server.server.getClientCapabilities() };
    return { content: [{ type: 'text', text: JSON.stringify(told) }] };
  });
  const session = await connectMemory(withInputRequiredShim(server), sdk);
  const opening = await session.peer.handshake({ revision: '2025-11-25', capabilities });
  return { session, opening };
}

const DEEP = JSON.parse(`${'{"a":'.repeat(500)}1${'}'.repeat(500)}`) as Json;

/** What a client declared, and what is made of it: the kinds that can be asked, and what SDK v1 is shown. */
const CASES: readonly (readonly [string, unknown, readonly string[], unknown])[] = [
  ['nothing', {}, [], {}],
  ['null', null, [], {}],
  ['an array', [], [], {}],
  ['a string', 'elicitation', [], {}],
  ['true', true, [], {}],
  ['elicitation: true', { elicitation: true }, [], {}],
  ['elicitation: null', { elicitation: null }, [], {}],
  ['elicitation: []', { elicitation: [] }, [], {}],
  ['elicitation: "form"', { elicitation: 'form' }, [], {}],
  ['elicitation: {}', { elicitation: {} }, ['form'], { elicitation: { form: {} } }],
  ['elicitation.form: true', { elicitation: { form: true } }, [], {}],
  ['elicitation.form: null', { elicitation: { form: null } }, [], {}],
  ['elicitation.form: []', { elicitation: { form: [] } }, [], {}],
  [
    'elicitation.form: false beside url',
    { elicitation: { form: false, url: {} } },
    ['url'],
    { elicitation: { url: {} } },
  ],
  ['elicitation.url: {}', { elicitation: { url: {} } }, ['url'], { elicitation: { url: {} } }],
  ['elicitation.url: true', { elicitation: { url: true } }, [], {}],
  ['elicitation.unknown: {}', { elicitation: { voice: {} } }, [], { elicitation: { voice: {} } }],
  ['elicitation.unknown: 1', { elicitation: { voice: 1 } }, [], {}],
  [
    'elicitation.form with a member of a wrong type',
    { elicitation: { form: { applyDefaults: 'yes' } } },
    ['form'],
    { elicitation: { form: {} } },
  ],
  ['sampling: 1', { sampling: 1 }, [], {}],
  ['sampling: {}', { sampling: {} }, ['sampling'], { sampling: {} }],
  ['sampling.tools: true', { sampling: { tools: true } }, ['sampling'], { sampling: {} }],
  ['sampling.tools: {}', { sampling: { tools: {} } }, ['sampling', 'sampling.tools'], { sampling: { tools: {} } }],
  ['roots: "yes"', { roots: 'yes' }, [], {}],
  ['roots.listChanged: "yes"', { roots: { listChanged: 'yes' } }, ['roots'], { roots: {} }],
  ['tasks: true', { tasks: true }, [], {}],
  [
    'tasks with members of wrong types',
    { tasks: { list: 1, requests: { sampling: true } } },
    [],
    { tasks: { requests: {} } },
  ],
  ['experimental: 1', { experimental: 1 }, [], {}],
  ['experimental members that are no objects', { experimental: { a: 1, b: {} } }, [], { experimental: { b: {} } }],
  ['unknown members that are no objects', { flying: true, swimming: 7 }, [], {}],
  ['toString, which every object inherits', { toString: true, constructor: {} }, [], {}],
  ['an own __proto__ that declares', JSON.parse('{"__proto__": {"elicitation": {}}}'), [], {}],
  ['an own __proto__ inside elicitation', JSON.parse('{"elicitation": {"__proto__": {"form": {}}}}'), [], undefined],
  ['something very deep', { elicitation: {}, experimental: { deep: DEEP } }, ['form'], undefined],
];

describe.each(['newest', 'oldest'] as const)('[H7b] [F31] a capability declaration (%s SDK v1)', (sdk) => {
  let session: MemorySession;
  afterEach(() => session.close());

  it.each(CASES)('opens the connection, and declares objects only: %s', async (_, capabilities, shim, v1) => {
    const opened = await open(capabilities, sdk);
    session = opened.session;
    expect(opened.opening['result']?.protocolVersion).toBe('2025-11-25');
    await session.peer.callTool('tell');
    const told = JSON.parse((await session.peer.next())['result'].content[0].text) as Json;
    expect(told['shim']).toEqual(shim);
    if (v1 !== undefined) expect(told['v1']).toEqual(v1);
  });

  it('is required: without one the handshake is refused, as SDK v1 refuses it', async () => {
    const { McpServer } = sdkNamed(sdk);
    session = await connectMemory(withInputRequiredShim(new McpServer({ name: 'x', version: '1' })), sdk);
    const params = { protocolVersion: '2025-11-25', clientInfo: { name: 'c', version: '1' } };
    await session.peer.request('initialize', params, 1);
    expect(await session.peer.next()).toMatchObject({ id: 1, error: { code: -32603 } });
  });
});
