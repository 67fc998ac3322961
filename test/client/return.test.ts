import { callTool, getPrompt, pendingAsk, type ReceivedAsk, readResource } from 'mcp-dual-era/client';
import { describe, expect, it } from 'vitest';
import type { Json } from '../support/json.ts';
import { ADA, ALL, connectHost, createHost, textOf } from './host.ts';
import { ask, COMPLETE, calls, form, said, serveScript, toolOf, toolsOf } from './scripted-server.ts';

const RETURN = { options: { inputRequired: 'return' } } as const;
const ASK = { name: 'ask', arguments: { to: 1 } };
const withoutMeta = ({ _meta, ...params }: Json): Json => params;

describe.each(['newest', 'oldest'] as const)('[C4a] an ask given to the caller of callTool (%s SDK v1)', (sdk) => {
  const settings = { ...RETURN, sdk };

  it('is the ask as the server sent it, and nobody is asked', async () => {
    const server = await serveScript(calls(ask({ who: form() }, 's1')));
    const { client, asked } = await connectHost(server.url, settings);
    expect(await callTool(client, ASK)).toEqual({
      resultType: 'input_required',
      inputRequests: { who: form() },
      requestState: 's1',
    });
    expect(asked).toEqual([]);
  });

  it('is answered with the same function', async () => {
    const server = await serveScript(calls(ask({ who: form() }, 's1'), ask({ b: form('B?') }), said('done')));
    const { client } = await connectHost(server.url, settings);
    const first = (await callTool(client, ASK)) as ReceivedAsk;
    const second = (await callTool(client, {
      ...ASK,
      inputResponses: { who: ADA },
      requestState: first.requestState,
    })) as ReceivedAsk;
    expect(second).toEqual({ resultType: 'input_required', inputRequests: { b: form('B?') } });
    const result = await callTool(client, { ...ASK, inputResponses: { b: { action: 'decline' } } });
    expect(textOf(result)).toBe('done');
    const told = server.toldOf('tools/call');
    expect(told.map(({ params }) => withoutMeta(params))).toEqual([
      ASK,
      { ...ASK, inputResponses: { who: ADA }, requestState: 's1' },
      { ...ASK, inputResponses: { b: { action: 'decline' } } },
    ]);
    expect(new Set(told.map(({ id }) => id)).size).toBe(3);
  });

  it('is an error to the own callTool of the client, which names ours', async () => {
    const server = await serveScript(calls(ask({ who: form() }, 'a-state')));
    const { client, asked } = await connectHost(server.url, settings);
    const error = (await client.callTool(ASK).catch((thrown: unknown) => thrown)) as Error;
    expect(error).toMatchObject({ name: 'McpError', code: -32603 });
    expect(error.message).toMatch(/callTool.+mcp-dual-era\/client/);
    expect(error.message).not.toContain('a-state');
    expect(asked).toEqual([]);
  });

  it('leaves the result of a tool that does not ask as it is', async () => {
    const server = await serveScript(calls(said('at once')));
    const { client } = await connectHost(server.url, settings);
    expect(textOf(await callTool(client, ASK))).toBe('at once');
    expect(textOf(await client.callTool(ASK))).toBe('at once');
  });
});

describe('an ask given to the caller', () => {
  it('of getPrompt and of readResource is answered with the same function', async () => {
    const complete = {
      'prompts/get': { messages: [{ role: 'user', content: { type: 'text', text: 'Hello' } }] },
      'resources/read': { contents: [{ uri: 'note://mine', text: 'A note' }], ttlMs: 0, cacheScope: 'private' },
    };
    const server = await serveScript(({ method }, _response, count) => {
      if (method !== 'prompts/get' && method !== 'resources/read') return undefined;
      return count === 0 ? ask({ who: form() }, method) : { result: { ...COMPLETE, ...complete[method] } };
    });
    const { client } = await connectHost(server.url, RETURN);
    const prompt = { name: 'greet', arguments: { language: 'latin' } };
    const answer = (asked: object) => ({
      inputResponses: { who: ADA },
      requestState: (asked as ReceivedAsk).requestState,
    });
    expect(await getPrompt(client, { ...prompt, ...answer(await getPrompt(client, prompt)) })).toMatchObject(
      complete['prompts/get'],
    );
    const uri = 'note://mine';
    expect(await readResource(client, { uri, ...answer(await readResource(client, { uri })) })).toMatchObject({
      contents: [{ text: 'A note' }],
    });
    expect(server.toldOf('prompts/get')[1]?.params).toMatchObject({ ...prompt, requestState: 'prompts/get' });
  });

  it.each([
    ['other arguments', { name: 'ask', arguments: { to: 2 } }],
    ['no arguments', { name: 'ask' }],
    ['another tool', { name: 'tell', arguments: { to: 1 } }],
  ])('is not answered with %s: ARGUMENTS_CHANGED, and nothing is sent', async (_name, changed) => {
    const server = await serveScript(calls(ask({ who: form() }, 'a-state')));
    const { client } = await connectHost(server.url, RETURN);
    await callTool(client, ASK);
    const retry = { ...changed, inputResponses: { who: ADA }, requestState: 'a-state' };
    const error = (await callTool(client, retry).catch((thrown: unknown) => thrown)) as Error;
    expect(error).toMatchObject({ name: 'DualEraError', code: 'ARGUMENTS_CHANGED' });
    expect(error.message).toContain('call without requestState');
    expect(error.message).not.toContain('a-state');
    expect(server.toldOf('tools/call')).toHaveLength(1);
  });

  it('is not answered with another function', async () => {
    const server = await serveScript(calls(ask({ who: form() }, 'a-state')));
    const { client } = await connectHost(server.url, RETURN);
    await callTool(client, ASK);
    await expect(readResource(client, { uri: 'note://mine', requestState: 'a-state' })).rejects.toMatchObject({
      code: 'ARGUMENTS_CHANGED',
    });
  });

  it('is answered with the same arguments in another order', async () => {
    const server = await serveScript(calls(ask({ who: form() }, 's'), said('done')));
    const { client } = await connectHost(server.url, RETURN);
    await callTool(client, { name: 'ask', arguments: { a: 1, b: { c: [1], d: undefined } } });
    const again = { name: 'ask', arguments: { b: { c: [1] }, a: 1 } };
    expect(textOf(await callTool(client, { ...again, requestState: 's' }))).toBe('done');
  });

  it('is not answered with arguments that were changed in place', async () => {
    const server = await serveScript(calls(ask({ who: form() }, 's'), said('done')));
    const { client } = await connectHost(server.url, RETURN);
    const args = { to: [1] };
    await callTool(client, { name: 'ask', arguments: args });
    args.to.push(2);
    await expect(callTool(client, { name: 'ask', arguments: args, requestState: 's' })).rejects.toMatchObject({
      code: 'ARGUMENTS_CHANGED',
    });
  });

  it.each(['', 'the-same'])('is answered though another call was given the same state: %j', async (state) => {
    const server = await serveScript(({ method, params }) => {
      if (method !== 'tools/call') return undefined;
      return 'inputResponses' in params ? said(`to ${params['arguments'].to}`) : ask({ who: form() }, state);
    });
    const { client } = await connectHost(server.url, RETURN);
    const one = { name: 'ask', arguments: { to: 1 } };
    const two = { name: 'ask', arguments: { to: 2 } };
    await callTool(client, one);
    await callTool(client, two);
    const answers = { inputResponses: { who: ADA }, requestState: state };
    expect(textOf(await callTool(client, { ...two, ...answers }))).toBe('to 2');
    expect(textOf(await callTool(client, { ...one, ...answers }))).toBe('to 1');
  });

  it('is answered with a state that the client has never seen', async () => {
    const server = await serveScript(calls(said('done')));
    const { client } = await connectHost(server.url, RETURN);
    expect(textOf(await callTool(client, { ...ASK, requestState: 'from elsewhere' }))).toBe('done');
    expect(server.toldOf('tools/call')[0]?.params['requestState']).toBe('from elsewhere');
  });

  it.each(['', 'é\u0000\u2028😀', 'x'.repeat(1_048_576)])('keeps its state byte for byte (%#)', async (state) => {
    const server = await serveScript(calls(ask({ who: form() }, state), said('done')));
    const { client } = await connectHost(server.url, RETURN);
    const { requestState } = (await callTool(client, ASK)) as ReceivedAsk;
    expect(requestState === state).toBe(true);
    await callTool(client, { ...ASK, inputResponses: { who: ADA }, requestState });
    expect(server.toldOf('tools/call')[1]?.params['requestState'] === state).toBe(true);
  });

  it('of a client without the capability is given to it all the same', async () => {
    const server = await serveScript(calls(ask({ who: form() })));
    const { client } = await connectHost(server.url, { ...RETURN, capabilities: {} });
    expect(await callTool(client, ASK)).toMatchObject({ inputRequests: { who: form() } });
  });

  it('ends when its signal is aborted', async () => {
    const abort = new AbortController();
    const server = await serveScript(({ method }) => {
      if (method === 'tools/call') abort.abort(new Error('Enough'));
      return undefined;
    });
    const { client } = await connectHost(server.url, RETURN);
    await expect(callTool(client, ASK, { signal: abort.signal })).rejects.toThrow('Enough');
  });

  it('ends with an error of the server as it is', async () => {
    const server = await serveScript(
      calls({ error: { code: -32602, message: 'No such tool', data: { a: 1 } }, status: 200 }),
    );
    const { client } = await connectHost(server.url, RETURN);
    await expect(callTool(client, ASK)).rejects.toMatchObject({ code: -32602, data: { a: 1 } });
  });
});

describe('a tool with an outputSchema', () => {
  const outputSchema = { type: 'object', properties: { sum: { type: 'number' } }, required: ['sum'] };
  const structured = (structuredContent: Json) => ({ result: { ...COMPLETE, content: [], structuredContent } });

  const serve = (reply: ReturnType<typeof structured>) =>
    serveScript(({ method, params }) => {
      if (method === 'tools/list') return toolsOf(toolOf('ask', { type: 'object' }, { outputSchema }));
      if (method !== 'tools/call') return undefined;
      return 'inputResponses' in params ? reply : ask({ who: form() }, 's');
    });

  it('can ask', async () => {
    const server = await serve(structured({ sum: 3 }));
    const { client } = await connectHost(server.url, RETURN);
    await client.listTools();
    expect(await callTool(client, ASK)).toMatchObject({ requestState: 's' });
    const answered = { ...ASK, inputResponses: { who: ADA }, requestState: 's' };
    expect(await callTool(client, answered)).toMatchObject({ structuredContent: { sum: 3 } });
  });

  it('can ask the handlers of the client', async () => {
    const server = await serve(structured({ sum: 3 }));
    const { client } = await connectHost(server.url);
    await client.listTools();
    expect(await client.callTool(ASK)).toMatchObject({ structuredContent: { sum: 3 } });
  });

  it('is held to it', async () => {
    const server = await serve(structured({ sum: 'three' }));
    const { client } = await connectHost(server.url);
    await client.listTools();
    await expect(client.callTool(ASK)).rejects.toMatchObject({ code: -32602 });
  });
});

describe('an argument that has a header', () => {
  const inputSchema = { type: 'object', properties: { region: { type: 'string', 'x-mcp-header': 'Region' } } };
  const call = { name: 'deploy', arguments: { region: 'zürich ' } };
  const script = () =>
    serveScript(({ method, params }) => {
      if (method === 'tools/list') return toolsOf(toolOf('deploy', inputSchema));
      if (method !== 'tools/call') return undefined;
      return 'inputResponses' in params ? said('done') : ask({ who: form() }, 's');
    });

  it('has it on every round, for the handlers of the client', async () => {
    const server = await script();
    const { client } = await connectHost(server.url);
    await client.listTools();
    await client.callTool(call);
    const headers = server.toldOf('tools/call').map(({ headers }) => headers['mcp-param-region']);
    expect(headers).toEqual(['=?base64?esO8cmljaCA=?=', '=?base64?esO8cmljaCA=?=']);
  });

  it('has it on every round, for callTool, without a list before', async () => {
    const server = await script();
    const { client } = await connectHost(server.url, RETURN);
    const { requestState } = (await callTool(client, call)) as ReceivedAsk;
    await callTool(client, { ...call, inputResponses: { who: ADA }, requestState });
    const headers = server.toldOf('tools/call').map(({ headers }) => headers['mcp-param-region']);
    expect(headers).toEqual(['=?base64?esO8cmljaCA=?=', '=?base64?esO8cmljaCA=?=']);
  });

  it('has the new one once the list has changed, for callTool too', async () => {
    let header = 'Old';
    const server = await serveScript(({ method, headers }) => {
      const properties = { region: { type: 'string', 'x-mcp-header': header } };
      const listed = toolsOf(toolOf('deploy', { type: 'object', properties })).result as Json;
      if (method === 'tools/list') return { result: { ...listed, ttlMs: 60_000 } };
      if (method !== 'tools/call') return undefined;
      if (headers['mcp-param-new'] === undefined) return { error: { code: -32020, message: 'HeaderMismatch' } };
      return said('deployed');
    });
    const { client } = await connectHost(server.url, RETURN);
    await client.listTools();
    header = 'New';
    expect(textOf(await callTool(client, call))).toBe('deployed');
  });
});

describe('pendingAsk', () => {
  it('is the ask and its call as plain JSON', async () => {
    const server = await serveScript(calls(ask({ who: form() }, 's')));
    const { client } = await connectHost(server.url, RETURN);
    const pending = pendingAsk(await callTool(client, ASK));
    expect(JSON.parse(JSON.stringify(pending))).toStrictEqual({
      method: 'tools/call',
      params: ASK,
      inputRequests: { who: form() },
      requestState: 's',
    });
  });

  it('has no state where there is none, and no questions where there are none', async () => {
    const server = await serveScript(calls(ask({ who: form() }), ask(undefined, '')));
    const { client } = await connectHost(server.url, RETURN);
    expect(pendingAsk(await callTool(client, ASK))).not.toHaveProperty('requestState');
    expect(pendingAsk(await callTool(client, ASK))).toMatchObject({ inputRequests: {}, requestState: '' });
  });

  it('does not follow what becomes of the arguments', async () => {
    const server = await serveScript(calls(ask({ who: form() }, 's')));
    const { client } = await connectHost(server.url, RETURN);
    const args = { to: [1] };
    const result = await callTool(client, { name: 'ask', arguments: args });
    args.to.push(2);
    expect(pendingAsk(result).params).toEqual({ name: 'ask', arguments: { to: [1] } });
  });

  it.each([
    ['a result', { content: [] }, 'got an object'],
    ['an ask made by hand', { resultType: 'input_required', requestState: 's' }, 'got an object'],
    ['null', null, 'got null'],
    ['a text', 'ask', 'got "ask"'],
  ])('refuses %s', (_name, value, got) => {
    expect(() => pendingAsk(value as object)).toThrow(new RegExp(`, ${got}$`));
    expect(() => pendingAsk(value as object)).toThrow(TypeError);
  });
});

describe.each([
  ['callTool', (client: never) => callTool(client, ASK)],
  ['getPrompt', (client: never) => getPrompt(client, { name: 'greet' })],
  ['readResource', (client: never) => readResource(client, { uri: 'note://mine' })],
])('%s', (_name, call) => {
  it('needs a client that is connected by connectDualEra', async () => {
    const { client } = createHost({ capabilities: ALL });
    await expect(call(client as never)).rejects.toMatchObject({ name: 'DualEraError', code: 'NOT_CONNECTED' });
  });

  it('says so once the client is closed', async () => {
    const server = await serveScript(() => undefined);
    const { client } = await connectHost(server.url, RETURN);
    await client.close();
    await expect(call(client as never)).rejects.toMatchObject({ name: 'DualEraError', code: 'NOT_CONNECTED' });
  });
});
