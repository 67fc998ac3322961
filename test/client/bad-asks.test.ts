import { describe, expect, it, vi } from 'vitest';
import type { Json } from '../support/json.ts';
import { ADA, connectHost, textOf } from './host.ts';
import { ask, calls, form, type Reply, said, serveScript, toolOf, toolsOf } from './scripted-server.ts';

const ASK = { name: 'ask', arguments: {} };
const STATE = 'a-state-that-nobody-may-read';

/** The JSON text of an ask, for members that no object literal can have. */
const rawAsk = (id: string | number, members: string): Reply => ({
  raw: `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":{"resultType":"input_required",${members}}}`,
});

describe.each(['answer', 'return'] as const)(
  "[C3b] a server's bad answer, with inputRequired: '%s'",
  (inputRequired) => {
    it.each([
      ['an ask with neither member', ask(), /neither inputRequests nor requestState/],
      ['an ask with no questions and no state', ask({}), /neither inputRequests nor requestState/],
      ['an ask whose questions are a list', ask([form()]), /inputRequests/],
      ['an ask whose state is a number', ask(undefined, 7), /requestState/],
      ['a resultType that is unknown', { result: { resultType: 'maybe', content: [] } }, /result type 'maybe'/],
      ['a resultType that is no text', { result: { resultType: 7, content: [] } }, /resultType/],
      ['no resultType', { result: { content: [] } }, /resultType/],
      ['a result that is null', { result: null }, /./],
    ])('ends the call: %s', async (_name, reply: Reply, message) => {
      const server = await serveScript(calls(reply));
      const { client, asked } = await connectHost(server.url, { options: { inputRequired, probeTimeout: 2_000 } });
      await expect(client.callTool(ASK, undefined, { timeout: 3_000 })).rejects.toMatchObject({
        name: 'McpError',
        code: -32603,
        message: expect.stringMatching(message),
      });
      expect(asked).toEqual([]);
      expect(server.toldOf('tools/call')).toHaveLength(1);
    });

    it.each(['tools/list', 'prompts/list', 'completion/complete'])('does not answer an ask to %s', async (method) => {
      const discovered = { capabilities: { tools: {}, prompts: {}, completions: {} } };
      const asking = ask({ who: form() }, STATE);
      const server = await serveScript((told) => (told.method === method ? asking : undefined), discovered);
      const { client, asked } = await connectHost(server.url, { options: { inputRequired } });
      const request = {
        'tools/list': () => client.listTools(),
        'prompts/list': () => client.listPrompts(),
        'completion/complete': () =>
          client.complete({ ref: { type: 'ref/prompt', name: 'p' }, argument: { name: 'a', value: '' } }),
      }[method];
      const error = (await request?.().catch((thrown: unknown) => thrown)) as Error;
      expect(error).toMatchObject({ name: 'McpError', code: -32603, message: expect.stringContaining(method) });
      expect(error.message).not.toContain('allowInputRequired');
      expect(asked).toEqual([]);
      expect(server.toldOf(method)).toHaveLength(1);
    });
  },
);

describe('a question that is none', () => {
  it.each([
    ['of an unknown kind', { method: 'tools/call', params: { name: 'rm' } }],
    ['of a kind with the name of a member of objects', { method: 'constructor' }],
    ['without a method', { params: {} }],
    ['that is null', null],
    ['that is a text', 'elicitation/create'],
    ['of a form without a schema', { method: 'elicitation/create', params: { message: 'Name?' } }],
    ['of an unknown mode', { method: 'elicitation/create', params: { mode: 'voice', message: 'Name?' } }],
    ['of a URL that is none', { method: 'elicitation/create', params: { mode: 'url', message: 'Go', url: 7 } }],
    ['of sampling without messages', { method: 'sampling/createMessage', params: { maxTokens: 5 } }],
    ['with params that are a list', { method: 'elicitation/create', params: [] }],
  ])('ends the call, and nothing is sent again: %s', async (_name, question) => {
    const server = await serveScript(calls(ask({ bad: question }, STATE), said('answered')));
    const { client, asked, errors } = await connectHost(server.url);
    const error = (await client.callTool(ASK).catch((thrown: unknown) => thrown)) as Error & Json;
    expect(error).toMatchObject({ name: 'McpError', code: expect.any(Number) });
    expect(JSON.stringify([error.message, error['data'], errors.map(String)])).not.toContain(STATE);
    expect(asked).toEqual([]);
    expect(server.toldOf('tools/call')).toHaveLength(1);
  });
});

describe('keys that are members of every object', () => {
  it.each(['constructor', 'toString', 'hasOwnProperty', ''])('are keys like any other: %j', async (key) => {
    const server = await serveScript(calls(ask({ [key]: form() }), said('done')));
    const { client } = await connectHost(server.url);
    expect(textOf(await client.callTool(ASK))).toBe('done');
    expect(Object.entries(server.toldOf('tools/call')[1]?.params['inputResponses'])).toEqual([[key, ADA]]);
  });

  it('change nothing that is shared: __proto__', async () => {
    const question = JSON.stringify(form());
    const server = await serveScript(({ method, id, params }) => {
      if (method !== 'tools/call') return undefined;
      if ('inputResponses' in params) return said('done');
      return rawAsk(id, `"inputRequests":{"__proto__":${question},"who":${question}}`);
    });
    const { client } = await connectHost(server.url);
    // Whether the key is answered or refused, it is an own key or none.
    await client.callTool(ASK).catch(() => undefined);
    const answers = server.toldOf('tools/call')[1]?.params['inputResponses'] ?? {};
    expect(Object.getPrototypeOf(answers)).toBe(Object.prototype);
    for (const [key, answer] of Object.entries(answers)) expect([key, answer]).toEqual([key, ADA]);
    expect(({} as Json)['action']).toBeUndefined();
    expect(({} as Json)['method']).toBeUndefined();
  });

  it('reach the handler as they are, in the fields of a form', async () => {
    const schema = '{"type":"object","properties":{"__proto__":{"type":"string"},"constructor":{"type":"string"}}}';
    const params = `{"message":"?","requestedSchema":${schema}}`;
    const question = `"inputRequests":{"who":{"method":"elicitation/create","params":${params}}}`;
    const server = await serveScript(({ method, id }, _response, count) => {
      if (method !== 'tools/call') return undefined;
      return count === 0 ? rawAsk(id, question) : said('done');
    });
    const elicit = () => ({ action: 'accept', content: { constructor: 'Ada' } });
    const { client } = await connectHost(server.url, { elicit });
    expect(textOf(await client.callTool(ASK))).toBe('done');
    expect(server.toldOf('tools/call')[1]?.params['inputResponses']).toEqual({
      who: { action: 'accept', content: { constructor: 'Ada' } },
    });
  });
});

describe('a large state', () => {
  it('of 1 MB goes back whole', async () => {
    const state = 'x'.repeat(1_048_576);
    const server = await serveScript(calls(ask({ who: form() }, state), said('done')));
    const { client } = await connectHost(server.url);
    expect(textOf(await client.callTool(ASK))).toBe('done');
    expect(server.toldOf('tools/call')[1]?.params['requestState'] === state).toBe(true);
  });
});

describe('requestState', () => {
  it.each([
    ['an endless ask', calls(ask({ who: form() }, STATE))],
    ['a question that is none', calls(ask({ who: 7 }, STATE))],
    ['a refusal of the answer', calls(ask({ who: form() }, STATE), { error: { code: -32602, message: 'No' } })],
    ['an answer that is no JSON', calls(ask({ who: form() }, STATE), { raw: '<html>' })],
    ['a result that is none', calls(ask({ who: form() }, STATE), { result: { resultType: 'complete', content: 7 } })],
    ['a connection that ends', calls(ask({ who: form() }, STATE), { status: 500, raw: 'oops' })],
  ])('is in no error and in no log after %s', async (_name, script) => {
    const logs = (['log', 'info', 'warn', 'error', 'debug'] as const).map((level) =>
      vi.spyOn(console, level).mockImplementation(() => undefined),
    );
    const server = await serveScript(script);
    const { client, errors } = await connectHost(server.url, { options: { maxRounds: 2 } });
    const error = (await client.callTool(ASK).catch((thrown: unknown) => thrown)) as Error & Json;
    expect(error).toBeInstanceOf(Error);
    const shown = [error, ...errors].flatMap((one) => [one.message, one.stack, JSON.stringify(one), String(one.cause)]);
    expect(shown.join('\n')).not.toContain(STATE);
    expect(JSON.stringify(logs.flatMap(({ mock }) => mock.calls))).not.toContain(STATE);
    for (const log of logs) log.mockRestore();
  });
});

describe('a tool list that changes in mid-call', () => {
  const inputSchema = (header: string): Json => ({
    type: 'object',
    properties: { region: { type: 'string', 'x-mcp-header': header } },
  });
  const call = { name: 'deploy', arguments: { region: 'eu' } };
  const long = (reply: Reply): Reply => ({ result: { ...(reply.result as Json), ttlMs: 60_000 } });
  const script =
    (...replies: readonly Reply[]) =>
    async (header: string) => {
      let listed = 0;
      const server = await serveScript(({ method, headers }, _response, count) => {
        if (method === 'tools/list') {
          listed += 1;
          return long(toolsOf(toolOf('deploy', inputSchema(listed === 1 ? 'Old' : header))));
        }
        if (method !== 'tools/call') return undefined;
        if (headers['mcp-param-new'] === undefined) return { error: { code: -32020, message: 'HeaderMismatch' } };
        return replies[Math.min(count - 1, replies.length - 1)];
      });
      return server;
    };

  it('is listed again after -32020, and the call is made once more', async () => {
    const server = await script(said('deployed'))('New');
    const { client } = await connectHost(server.url);
    await client.listTools();
    expect(textOf(await client.callTool(call))).toBe('deployed');
    expect(server.toldOf('tools/list')).toHaveLength(2);
    expect(server.toldOf('tools/call').map(({ headers }) => headers['mcp-param-new'])).toEqual([undefined, 'eu']);
  });

  it('is listed again between the rounds of a call', async () => {
    let header = 'Old';
    const server = await serveScript(({ method, headers, params }) => {
      if (method === 'tools/list') return long(toolsOf(toolOf('deploy', inputSchema(header))));
      if (method !== 'tools/call') return undefined;
      if (headers[`mcp-param-${header.toLowerCase()}`] === undefined) {
        return { error: { code: -32020, message: 'HeaderMismatch' } };
      }
      if ('inputResponses' in params) return said('deployed');
      header = 'New';
      return ask({ who: form() }, 's');
    });
    const { client } = await connectHost(server.url);
    await client.listTools();
    expect(textOf(await client.callTool(call))).toBe('deployed');
  });

  it('ends the call when it keeps on changing', async () => {
    const server = await script(said('never'))('Other');
    const { client } = await connectHost(server.url);
    await client.listTools();
    await expect(client.callTool(call)).rejects.toMatchObject({ code: -32020 });
    expect(server.toldOf('tools/call')).toHaveLength(2);
  });
});
