import { describe, expect, it, vi } from 'vitest';
import type { Json } from '../support/json.ts';
import { ADA, connectHost, ROOTS, SAMPLED, textOf } from './host.ts';
import { ask, calls, form, openUrl, rootsList, said, sampling, serveScript } from './scripted-server.ts';

const ASK = { name: 'ask', arguments: { to: 1 } };
const withoutMeta = ({ _meta, ...params }: Json): Json => params;

describe.each(['newest', 'oldest'] as const)('[C3a] an ask that the client of %s SDK v1 answers', (sdk) => {
  it('is met by the handlers that the client has for live questions, all four kinds', async () => {
    const requests = { who: form(), auth: openUrl, sum: sampling(), where: rootsList };
    const server = await serveScript(calls(ask(requests, 's1'), said('done')));
    const { client, asked } = await connectHost(server.url, { sdk });
    expect(textOf(await client.callTool(ASK))).toBe('done');
    expect(asked.toSorted()).toEqual(['form Your name?', 'roots', 'sampling', 'url https://a.example/x']);
    expect(server.toldOf('tools/call').map(({ params }) => withoutMeta(params))).toEqual([
      ASK,
      {
        ...ASK,
        requestState: 's1',
        inputResponses: { who: ADA, auth: { action: 'accept' }, sum: SAMPLED, where: ROOTS },
      },
    ]);
  });

  it.each([
    ['decline', { action: 'decline' }],
    ['cancel', { action: 'cancel' }],
  ])('takes %s as an answer', async (_action, answer) => {
    const server = await serveScript(calls(ask({ who: form() }), said('so be it')));
    const { client } = await connectHost(server.url, { sdk, elicit: () => answer });
    expect(textOf(await client.callTool(ASK))).toBe('so be it');
    expect(server.toldOf('tools/call')[1]?.params).toMatchObject({ inputResponses: { who: answer } });
  });

  it('gives the handler of a URL the id that SDK v1 wants, and the server none', async () => {
    const server = await serveScript(calls(ask({ auth: openUrl }), said('opened')));
    let given: Json = {};
    const elicit = (params: Json) => {
      given = params;
      return { action: 'accept' };
    };
    const { client } = await connectHost(server.url, { sdk, elicit });
    await client.callTool(ASK);
    expect(given).toMatchObject({ mode: 'url', url: 'https://a.example/x', elicitationId: expect.any(String) });
    expect(server.toldOf('tools/call')[1]?.params['inputResponses']).toEqual({ auth: { action: 'accept' } });
  });
});

describe('the call after an ask', () => {
  it('has a new id each round, and the answers of the newest round alone', async () => {
    const replies = [ask({ a: form('A?') }, 'one'), ask({ b: form('B?') }, 'two'), said('done')];
    const server = await serveScript(calls(...replies));
    const { client, asked } = await connectHost(server.url);
    expect(textOf(await client.callTool(ASK))).toBe('done');
    expect(asked).toEqual(['form A?', 'form B?']);
    const told = server.toldOf('tools/call');
    expect(new Set(told.map(({ id }) => id)).size).toBe(3);
    expect(told.map(({ params }) => [params['inputResponses'], params['requestState']])).toEqual([
      [undefined, undefined],
      [{ a: ADA }, 'one'],
      [{ b: ADA }, 'two'],
    ]);
  });

  it.each([
    ['the empty text', ''],
    ['spaces and lines', ' \n\t '],
    ['JSON', '{"a": 1.0, "__proto__": {}}'],
    ['what is no well-formed text', 'é\u0000\u2028😀\ud800'],
    ['a header of its own', '=?base64?eA==?='],
  ])('has the requestState byte for byte: %s', async (_name, state) => {
    const server = await serveScript(calls(ask({ who: form() }, state), said('done')));
    const { client } = await connectHost(server.url);
    await client.callTool(ASK);
    expect(server.toldOf('tools/call')[1]?.params['requestState']).toBe(state);
  });

  it('has no requestState where the ask had none', async () => {
    const server = await serveScript(calls(ask({ a: form() }, 'one'), ask({ b: form() }), said('done')));
    const { client } = await connectHost(server.url);
    await client.callTool(ASK);
    expect(server.toldOf('tools/call').map(({ params }) => 'requestState' in params)).toEqual([false, true, false]);
  });

  it('has the headers that mirror it', async () => {
    const server = await serveScript(calls(ask({ who: form() }, 's'), said('done')));
    const { client } = await connectHost(server.url);
    await client.callTool(ASK);
    expect(server.toldOf('tools/call')[1]?.headers).toMatchObject({
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': 'ask',
    });
  });

  it('declares what the client declares', async () => {
    const server = await serveScript(calls(ask({ who: form() }), said('done')));
    const { client } = await connectHost(server.url, { capabilities: { elicitation: { form: {} } } });
    await client.callTool(ASK);
    for (const { params } of server.toldOf('tools/call')) {
      expect(params['_meta']['io.modelcontextprotocol/clientCapabilities']).toEqual({ elicitation: { form: {} } });
    }
  });

  it('takes state only as it is, asking nobody', async () => {
    const server = await serveScript(calls(ask(undefined, 'later'), said('done')));
    const { client, asked } = await connectHost(server.url);
    expect(textOf(await client.callTool(ASK))).toBe('done');
    expect(asked).toEqual([]);
    expect(withoutMeta(server.toldOf('tools/call')[1]?.params ?? {})).toEqual({ ...ASK, requestState: 'later' });
  });

  it('waits 50 ms for state only, then twice as long, and 250 ms at the most', async () => {
    const times: number[] = [];
    const server = await serveScript(({ method }, _response, count) => {
      if (method !== 'tools/call') return undefined;
      times.push(performance.now());
      return count < 5 ? ask(undefined, 'later') : said('done');
    });
    const { client } = await connectHost(server.url);
    await client.callTool(ASK);
    const waits = times.slice(1).map((time, index) => time - (times[index] ?? 0));
    for (const [index, least] of [50, 100, 200, 250, 250].entries()) {
      expect(waits[index]).toBeGreaterThanOrEqual(least - 2);
    }
    // The first two together are far from 2 x 250.
    expect((waits[0] ?? 0) + (waits[1] ?? 0)).toBeLessThan(400);
  });

  it('is not made when it is aborted in the pause', async () => {
    const abort = new AbortController();
    const server = await serveScript(({ method }, response, count) => {
      if (method !== 'tools/call') return undefined;
      // In the fourth pause, of 250 ms.
      if (count === 3) response.once('finish', () => setTimeout(() => abort.abort(new Error('Enough')), 20));
      return ask(undefined, 'later');
    });
    const { client } = await connectHost(server.url);
    await expect(client.callTool(ASK, undefined, { signal: abort.signal })).rejects.toThrow('Enough');
    await client.close();
    expect(server.toldOf('tools/call')).toHaveLength(4);
  });

  it('is made for a prompt and for a resource too', async () => {
    const server = await serveScript(({ method }, _response, count) => {
      if (method !== 'prompts/get' && method !== 'resources/read') return undefined;
      if (count === 0) return ask({ who: form() }, 's');
      const messages = [{ role: 'user', content: { type: 'text', text: 'Hello' } }];
      const complete = { resultType: 'complete' };
      if (method === 'prompts/get') return { result: { ...complete, messages } };
      const contents = [{ uri: 'note://mine', text: 'A note' }];
      return { result: { ...complete, contents, ttlMs: 0, cacheScope: 'private' } };
    });
    const { client } = await connectHost(server.url);
    expect((await client.getPrompt({ name: 'greet' })).messages).toMatchObject([{ content: { text: 'Hello' } }]);
    expect((await client.readResource({ uri: 'note://mine' })).contents).toMatchObject([{ text: 'A note' }]);
    expect(withoutMeta(server.toldOf('prompts/get')[1]?.params ?? {})).toEqual({
      name: 'greet',
      requestState: 's',
      inputResponses: { who: ADA },
    });
    expect(withoutMeta(server.toldOf('resources/read')[1]?.params ?? {})).toEqual({
      uri: 'note://mine',
      requestState: 's',
      inputResponses: { who: ADA },
    });
  });
});

describe('a call that cannot be answered', () => {
  it('ends with the error of the handler that throws, and nothing is sent again', async () => {
    const server = await serveScript(calls(ask({ who: form() }, 'secret-state')));
    const elicit = (): never => {
      throw Object.assign(new Error('No person here'), { code: -32099, data: { why: 'night' } });
    };
    const { client } = await connectHost(server.url, { elicit });
    await expect(client.callTool(ASK)).rejects.toMatchObject({
      code: -32099,
      message: expect.stringContaining('No person here'),
      data: { why: 'night' },
    });
    expect(server.toldOf('tools/call')).toHaveLength(1);
  });

  it('closes the other dialogs when one handler throws', async () => {
    const server = await serveScript(calls(ask({ slow: form('Slow?'), sum: sampling() })));
    let closed: (() => void) | undefined;
    const isClosed = new Promise<void>((resolve) => {
      closed = resolve;
    });
    const { client } = await connectHost(server.url, {
      elicit: (_params, signal) => {
        signal.addEventListener('abort', () => closed?.());
        return new Promise(() => undefined);
      },
      sample: () => Promise.reject(Object.assign(new Error('User rejected sampling request'), { code: -1 })),
    });
    await expect(client.callTool(ASK)).rejects.toMatchObject({ code: -1 });
    await isClosed;
    expect(server.toldOf('tools/call')).toHaveLength(1);
  });

  it.each([
    ['a form', { who: form() }, { elicitation: { url: {} } }],
    ['a URL', { auth: openUrl }, { elicitation: {} }],
    ['sampling', { sum: sampling() }, { elicitation: {} }],
    [
      'sampling with tools',
      { sum: sampling({ tools: [{ name: 't', inputSchema: { type: 'object' } }] }) },
      { sampling: {} },
    ],
    ['sampling with a tool choice', { sum: sampling({ toolChoice: { mode: 'auto' } }) }, { sampling: {} }],
    ['roots', { where: rootsList }, { elicitation: {} }],
  ])('never answers %s that the client has not declared', async (_kind, requests, capabilities) => {
    const server = await serveScript(calls(ask(requests, 's'), said('answered')));
    const { client, asked } = await connectHost(server.url, { capabilities });
    await expect(client.callTool(ASK)).rejects.toMatchObject({ name: 'McpError' });
    expect(asked).toEqual([]);
    expect(server.toldOf('tools/call')).toHaveLength(1);
  });

  it('leaves no dialog open of a round that has one question it cannot put', async () => {
    const server = await serveScript(calls(ask({ who: form(), where: rootsList }, 's'), said('answered')));
    const open = new Set<string>();
    const { client } = await connectHost(server.url, {
      capabilities: { elicitation: {} },
      elicit: ({ message }, signal) => {
        if (signal.aborted) return ADA;
        open.add(message);
        signal.addEventListener('abort', () => void open.delete(message));
        return new Promise(() => undefined);
      },
    });
    await expect(client.callTool(ASK)).rejects.toMatchObject({ name: 'McpError' });
    await vi.waitFor(() => expect(open.size).toBe(0));
    expect(server.toldOf('tools/call')).toHaveLength(1);
  });

  it.each([1, 3])('ends after %i rounds, as maxRounds says', async (maxRounds) => {
    const server = await serveScript(calls(ask({ who: form() }, 'secret-state')));
    const { client, asked } = await connectHost(server.url, { options: { maxRounds } });
    await expect(client.callTool(ASK)).rejects.toThrow('maxRounds');
    expect(asked).toHaveLength(maxRounds);
    expect(server.toldOf('tools/call')).toHaveLength(maxRounds + 1);
  });

  it('ends after maxRounds rounds of state only too', async () => {
    const server = await serveScript(calls(ask(undefined, 'secret-state')));
    const { client } = await connectHost(server.url, { options: { maxRounds: 2 } });
    const error = (await client.callTool(ASK).catch((thrown: unknown) => thrown)) as Error;
    expect(error.message).toContain('maxRounds');
    expect(error.message).not.toContain('secret-state');
    expect(server.toldOf('tools/call')).toHaveLength(3);
  });

  it('ends after 10 rounds unless told otherwise', async () => {
    const server = await serveScript(calls(ask({ who: form() }, 'secret-state')));
    const { client, asked } = await connectHost(server.url);
    await expect(client.callTool(ASK)).rejects.toThrow('maxRounds');
    expect(asked).toHaveLength(10);
  });
});

describe('calls in parallel', () => {
  it('keep their answers and their states apart', async () => {
    const server = await serveScript(({ method, params }) => {
      if (method !== 'tools/call') return undefined;
      const { to } = params['arguments'];
      const { requestState, inputResponses } = params;
      if (inputResponses === undefined) return ask({ who: form(`${to}`) }, `state of ${to}`);
      return said(`${to}: ${inputResponses.who.content.name}, ${requestState}`);
    });
    const waiting: [string, (answer: Json) => void][] = [];
    let allAsked: (() => void) | undefined;
    const areAsked = new Promise<void>((resolve) => {
      allAsked = resolve;
    });
    const { client } = await connectHost(server.url, {
      elicit: ({ message }) =>
        new Promise((resolve) => {
          waiting.push([message, resolve]);
          if (waiting.length === 3) allAsked?.();
        }),
    });
    const results = ['a', 'b', 'c'].map((to) => client.callTool({ name: 'ask', arguments: { to } }));
    await areAsked;
    // The last one first.
    for (const [message, answer] of waiting.toReversed()) {
      answer({ action: 'accept', content: { name: `answer to ${message}` } });
    }
    expect((await Promise.all(results)).map(textOf)).toEqual([
      'a: answer to a, state of a',
      'b: answer to b, state of b',
      'c: answer to c, state of c',
    ]);
  });
});
