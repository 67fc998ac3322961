import { withInputRequiredShim } from 'mcp-dual-era';
import { afterEach, describe, expect, it } from 'vitest';
import { ALL_CAPABILITIES, ask, form, outcomeOf, roots, samplingWithTools, url } from '../support/asks.ts';
import { connectMemory } from '../support/connect-memory.ts';
import type { Json } from '../support/json.ts';
import { METHODS } from '../support/matrix.ts';
import { expectNothingLeft, openPlay, type PlaySession } from '../support/open-play.ts';
import { createPlayServer, PLAY_PARAMS, textOf } from '../support/play-server.ts';
import { sdkNamed } from '../support/sdk.ts';

describe('field reports about kinds of questions', () => {
  let session: PlaySession;
  afterEach(() => session.close());

  it('[F25] [H3a] [S8] a URL question written for 2026-07-28 carries an elicitationId of its own', async () => {
    session = await openPlay(() => ask({ a: url(), b: url() }), { options: { legs: 'concurrent' } });
    await session.run();
    await session.run();
    const legs = [];
    for (let leg = 0; leg < 4; leg += 1) legs.push(await session.peer.next());
    const ids = legs.map(({ params }) => params.elicitationId);
    expect(ids.map((id) => typeof id)).toEqual(['string', 'string', 'string', 'string']);
    expect(new Set(ids).size).toBe(4);
  });

  it.each([
    ['a URL question, elicitation: {}', url(), { elicitation: {} }, { elicitation: { url: {} } }, 'elicitation.url'],
    ['a form, { url: {} }', form(), { elicitation: { url: {} } }, { elicitation: { form: {} } }, 'elicitation.form'],
    [
      'a form, { voice: {} }',
      form(),
      { elicitation: { voice: {} } },
      { elicitation: { form: {} } },
      'elicitation.form',
    ],
    ['roots, nothing', roots(), {}, { roots: {} }, 'roots'],
    ['tools, sampling: {}', samplingWithTools(), { sampling: {} }, { sampling: { tools: {} } }, 'sampling.tools'],
  ])(
    '[F29] [H2c] [S3] an undeclared kind is unsupported and nothing is sent: %s',
    async (_, question, capabilities, required, name) => {
      session = await openPlay(() => ask({ first: question }), { capabilities });
      for (const method of METHODS) {
        const id = await session.run(method);
        const answer = await session.peer.next();
        expect(answer['id']).toBe(id);
        expect(outcomeOf(answer)).toMatchObject({ reason: 'unsupported', round: 1, requiredCapabilities: required });
        expect(answer['error']?.message ?? textOf(answer)).toContain(`it did not declare ${name}`);
      }
      expect(session.runs()).toBe(3);
      await expectNothingLeft(session);
    },
  );

  it('[H2i] [H2k] [R1] [R2] all that is missing is named, and not even the declared part of the round is sent', async () => {
    session = await openPlay(() => ask({ a: roots(), b: form(), c: url(), d: samplingWithTools() }), {
      capabilities: { roots: {} },
    });
    const requiredCapabilities = { elicitation: { form: {}, url: {} }, sampling: { tools: {} } };
    await session.run('tools/call');
    expect((await session.peer.next())['result']).toMatchObject({
      isError: true,
      content: [{ type: 'text' }],
      _meta: { 'mcp-dual-era/outcome': { reason: 'unsupported', requiredCapabilities } },
    });
    await session.run('prompts/get');
    expect((await session.peer.next())['error']).toMatchObject({
      code: -32603,
      data: { reason: 'unsupported', method: 'prompts/get', target: 'play', requiredCapabilities },
    });
  });

  const choices: Json = {
    type: 'object',
    properties: {
      size: {
        type: 'string',
        oneOf: [
          { const: 's', title: 'Small' },
          { const: 'l', title: 'Large' },
        ],
      },
    },
  };

  it.each([
    ['2025-06-18', undefined, { type: 'string', enum: ['s', 'l'], enumNames: ['Small', 'Large'] }],
    ['2025-11-25', 'form', choices['properties'].size],
  ])('[F34] [H2f] titled choices are said in the words of %s', async (revision, mode, size) => {
    session = await openPlay(() => ask({ q: form('Size?', choices) }), { revision });
    await session.run();
    expect((await session.peer.next())['params']).toEqual({
      ...(mode === undefined ? {} : { mode }),
      message: 'Size?',
      requestedSchema: { type: 'object', properties: { size } },
    });
  });
});

describe('[F26] a tool that asks, called with `task`', () => {
  const asTask = { ...PLAY_PARAMS['tools/call'], task: { ttl: 60_000 } };

  it('is refused with a reason where the server has no tasks', async () => {
    const { peer, close } = await connectMemory(createPlayServer(() => ask({ q: roots() })));
    await peer.handshake({ capabilities: ALL_CAPABILITIES });
    const id = await peer.request('tools/call', asTask);
    expect(await peer.next()).toMatchObject({ id, error: { code: -32603, message: expect.stringContaining('task') } });
    await close();
  });

  it.each(['newest', 'oldest'] as const)(
    'is refused with a reason where the server has tasks (%s SDK v1)',
    async (sdk) => {
      const { Server, types } = sdkNamed(sdk);
      const capabilities = { tools: {}, tasks: { requests: { tools: { call: {} } } } };
      const server = new Server({ name: 'tasks', version: '1' }, { capabilities });
      server.setRequestHandler(types.CallToolRequestSchema, async () => ask({ q: roots() }) as never);
      const { peer, close } = await connectMemory(withInputRequiredShim(server), sdk);
      await peer.handshake({ capabilities: ALL_CAPABILITIES });
      const id = await peer.request('tools/call', asTask);
      expect(await peer.next()).toMatchObject({
        id,
        error: { code: -32602, message: expect.stringContaining('task') },
      });
      await close();
    },
  );

  it('asks as ever without `task`', async () => {
    const server = createPlayServer((context) => (context.round === 0 ? ask({ q: roots() }) : 'done'));
    const { peer, close } = await connectMemory(server);
    await peer.handshake({ capabilities: ALL_CAPABILITIES });
    await peer.request('tools/call', PLAY_PARAMS['tools/call'] as Json);
    await peer.answer(await peer.next(), { roots: [] });
    expect(textOf(await peer.next())).toBe('done');
    await close();
  });
});
