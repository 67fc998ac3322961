import { connectDualEra } from 'mcp-dual-era/client';
import { describe, expect, it, vi } from 'vitest';
import { connectHost, createHost, textOf } from './host.ts';
import { ask, calls, form, openStream, said, serveScript } from './scripted-server.ts';

const ASK = { name: 'ask', arguments: {} };
const LISTS = { capabilities: { tools: { listChanged: true } } };

describe('[C3c] a modern server that does what it must not', () => {
  it('is not answered when it asks live, in the stream of a call', async () => {
    const { method, params } = form() as { method: string; params: object };
    const server = await serveScript(({ method: called, id }, response) => {
      if (called !== 'tools/call') return undefined;
      const write = openStream(response);
      write({ id: 'live', method, params });
      write({ id, result: said('done').result });
      response.end();
      return undefined;
    });
    const { client, asked } = await connectHost(server.url);
    expect(textOf(await client.callTool(ASK))).toBe('done');
    expect(asked).toEqual([]);
  });

  it('is heard once when it answers twice', async () => {
    const server = await serveScript(({ method, id }, response) => {
      if (method !== 'tools/call') return undefined;
      const write = openStream(response);
      write({ id, result: said('first').result });
      write({ id, result: said('second').result });
      response.end();
      return undefined;
    });
    const { client } = await connectHost(server.url);
    expect(textOf(await client.callTool(ASK))).toBe('first');
    expect(textOf(await client.callTool(ASK))).toBe('first');
  });

  it('does not keep the client from connecting when it never takes its listener', async () => {
    const server = await serveScript(({ method }) => (method === 'tools/call' ? said('hello') : undefined), LISTS);
    const { client } = await connectHost(server.url);
    await vi.waitFor(() => expect(server.toldOf('subscriptions/listen')).toHaveLength(1));
    expect(textOf(await client.callTool(ASK))).toBe('hello');
    await client.close();
  });

  it('is reported to onerror when it refuses its listener, and can be used', async () => {
    const server = await serveScript(({ method }) => {
      if (method === 'subscriptions/listen') return { status: 404, error: { code: -32601, message: 'No listeners' } };
      return method === 'tools/call' ? said('hello') : undefined;
    }, LISTS);
    const { client, errors } = await connectHost(server.url);
    await vi.waitFor(() => expect(errors.map(({ message }) => message).join()).toContain('No listeners'));
    expect(textOf(await client.callTool(ASK))).toBe('hello');
  });

  it('is introduced all the same when it says nothing of itself', async () => {
    const discovered = { capabilities: {}, instructions: undefined, _meta: undefined };
    const server = await serveScript(() => undefined, discovered);
    const { client } = await connectHost(server.url);
    expect(client.getServerVersion()).toEqual({ name: 'unknown', version: 'unknown' });
    expect(client.getServerCapabilities()).toEqual({});
    expect(client.getInstructions()).toBeUndefined();
  });

  it('is quoted only in part when it names a question at length', async () => {
    const server = await serveScript(calls(ask({ ['k'.repeat(1_048_576)]: { method: 'nope' } })));
    const { client } = await connectHost(server.url);
    const error = (await client.callTool(ASK).catch((thrown: unknown) => thrown)) as Error;
    expect(error.message.length).toBeLessThan(1_000);
  });

  it('is quoted only in part when its error is a page', async () => {
    const server = await serveScript(calls({ status: 500, raw: `<html>${'x'.repeat(1_048_576)}</html>` }));
    const { client } = await connectHost(server.url);
    const error = (await client.callTool(ASK).catch((thrown: unknown) => thrown)) as Error;
    expect(error.message.length).toBeLessThan(2_000);
  });

  it('answers an ask that is too deep to be anything with an error, or an answer, and no crash', async () => {
    const depth = 5_000;
    const deep = `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;
    const params = `{"message":"?","requestedSchema":{"type":"object","properties":{}},"_meta":${deep}}`;
    const server = await serveScript(({ method, id, params: told }) => {
      if (method !== 'tools/call') return undefined;
      if ('inputResponses' in told) return said('done');
      const question = `{"method":"elicitation/create","params":${params}}`;
      const result = `{"resultType":"input_required","inputRequests":{"who":${question}}}`;
      return { raw: `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${result}}` };
    });
    const { client } = await connectHost(server.url, { elicit: () => ({ action: 'decline' }) });
    const outcome = await client.callTool(ASK, undefined, { timeout: 3_000 }).then(textOf, (error) => error.code);
    expect(['done', -32603, -32602]).toContain(outcome);
  });
});

describe('a client', () => {
  it('that declares a kind and has no handler for it is told so, and nothing is sent', async () => {
    const server = await serveScript(calls(ask({ where: { method: 'roots/list' } }, 'a-state')));
    const { client } = createHost({ capabilities: { roots: {} } });
    client.removeRequestHandler('roots/list');
    await connectDualEra(client, server.url);
    const error = (await client.callTool(ASK).catch((thrown: unknown) => thrown)) as Error;
    expect(error).toMatchObject({ name: 'McpError', code: -32601 });
    expect(error.message).toMatch(/roots\/list.+no handler/);
    expect(server.toldOf('tools/call')).toHaveLength(1);
  });

  it.each(['newest', 'oldest'] as const)('of %s SDK v1 that is connected is not connected once more', async (sdk) => {
    const server = await serveScript(calls(said('hello')));
    const { client } = await connectHost(server.url, { sdk });
    await expect(connectDualEra(client, server.url)).rejects.toMatchObject({
      name: 'DualEraError',
      code: 'ALREADY_CONNECTED',
    });
    expect(textOf(await client.callTool(ASK))).toBe('hello');
    expect(server.toldOf('server/discover')).toHaveLength(1);
  });

  it('that has failed to connect can connect to another server', async () => {
    const broken = await serveScript(() => ({ status: 503, raw: '' }));
    const server = await serveScript(calls(said('hello')));
    const { client } = createHost();
    await expect(connectDualEra(client, broken.url)).rejects.toMatchObject({ code: 'CONNECT_FAILED' });
    await vi.waitFor(() => expect(client.transport).toBeUndefined());
    await connectDualEra(client, server.url);
    expect(textOf(await client.callTool(ASK))).toBe('hello');
  });
});
