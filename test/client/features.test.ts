import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type ServedOverHttp, serveModern } from '../serve/modern-session.ts';
import { sdkNamed } from '../support/sdk.ts';
import { connectHost, textOf, type V1Client } from './host.ts';
import { openStream, said, serveScript, toolOf, toolsOf } from './scripted-server.ts';

describe.each(['newest', 'oldest'] as const)('[C2a] what a modern server has, for the client of %s SDK v1', (sdk) => {
  const { types } = sdkNamed(sdk);
  let served: ServedOverHttp;
  let client: V1Client;
  beforeEach(async () => {
    served = await serveModern({ factory: 'features', options: { eras: 'modern' } });
    ({ client } = await connectHost(served.url, { sdk }));
  });
  afterEach(async () => {
    await client.close();
    await served.close();
  });

  it('is listed: tools, prompts, resources, templates', async () => {
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain('echo');
    expect((await client.listPrompts()).prompts).toMatchObject([{ name: 'brief' }]);
    expect((await client.listResources()).resources).toMatchObject([{ uri: 'file:///cfg.json' }]);
    expect((await client.listResourceTemplates()).resourceTemplates).toMatchObject([{ uriTemplate: 'page:///{name}' }]);
  });

  it('is used: tools, prompts, resources, templates, completion', async () => {
    expect(textOf(await client.callTool({ name: 'echo', arguments: { text: 'hi' } }))).toBe('hi');
    const prompt = await client.getPrompt({ name: 'brief', arguments: { language: 'latin' } });
    expect(prompt.messages).toMatchObject([{ content: { text: 'Brief in latin' } }]);
    expect((await client.readResource({ uri: 'file:///cfg.json' })).contents).toMatchObject([{ text: '{}' }]);
    expect((await client.readResource({ uri: 'page:///two' })).contents).toMatchObject([{ text: 'Page two' }]);
    const ref = { type: 'ref/prompt' as const, name: 'brief' };
    const { completion } = await client.complete({ ref, argument: { name: 'language', value: 'e' } });
    expect(completion.values).toEqual(['english', 'estonian']);
  });

  it('answers ping', async () => {
    expect(await client.ping()).toEqual({});
  });

  it('fails as SDK v1 has it fail', async () => {
    await expect(client.callTool({ name: 'nope', arguments: {} })).rejects.toMatchObject({
      name: 'McpError',
      code: -32602,
    });
    await expect(client.readResource({ uri: 'file:///no' })).rejects.toMatchObject({
      name: 'McpError',
      code: -32602,
      data: { uri: 'file:///no' },
    });
    expect(await client.callTool({ name: 'echo', arguments: {} })).toMatchObject({ isError: true });
    const request = client.request({ method: 'acme/nope' } as never, types.EmptyResultSchema);
    await expect(request).rejects.toMatchObject({ name: 'McpError', code: -32601 });
  });

  it('sends the log messages of the level that was set, and none before', async () => {
    const heard: unknown[] = [];
    client.setNotificationHandler(
      types.LoggingMessageNotificationSchema,
      ({ params }) => void heard.push(params.level),
    );
    await client.callTool({ name: 'log', arguments: { how: 'extra' } });
    expect(heard).toEqual([]);
    await client.setLoggingLevel('critical');
    await client.callTool({ name: 'log', arguments: { how: 'extra' } });
    expect(heard).toEqual(['critical', 'alert', 'emergency']);
  });

  it('aborts the signal of a handler whose call is aborted', async () => {
    const abort = new AbortController();
    const call = client.callTool({ name: 'wait', arguments: {} }, undefined, { signal: abort.signal });
    expect(await served.reports.next()).toMatchObject({ waiting: expect.anything() });
    abort.abort(new Error('Enough'));
    await expect(call).rejects.toThrow('Enough');
    expect(await served.reports.next()).toEqual({ aborted: true });
    expect(textOf(await client.callTool({ name: 'echo', arguments: { text: 'after' } }))).toBe('after');
  });

  it('aborts the signal of a handler whose call has timed out', async () => {
    const before = served.reports.all.length;
    // As long as it takes to reach the handler, however busy the machine is.
    for (let timeout = 100; served.reports.all.length === before; timeout *= 2) {
      const call = client.callTool({ name: 'wait', arguments: {} }, undefined, { timeout });
      await expect(call).rejects.toMatchObject({ code: -32001 });
    }
    expect(await served.reports.next()).toMatchObject({ waiting: expect.anything() });
    expect(await served.reports.next()).toEqual({ aborted: true });
  });

  it.each([
    ['tools', types.ToolListChangedNotificationSchema],
    ['prompts', types.PromptListChangedNotificationSchema],
    ['resources', types.ResourceListChangedNotificationSchema],
  ] as const)('announces changes of its %s', async (what, schema) => {
    const heard: string[] = [];
    client.setNotificationHandler(schema, ({ method }) => void heard.push(method));
    // Until the stream is open, which the client does not wait for.
    await vi.waitFor(async () => {
      await client.callTool({ name: 'change', arguments: { what } });
      expect(heard).toContain(`notifications/${what}/list_changed`);
    });
    expect(new Set(heard).size).toBe(1);
  });

  it('announces updates of the resources that are subscribed to, and no others', async () => {
    const heard: string[] = [];
    client.setNotificationHandler(types.ResourceUpdatedNotificationSchema, ({ params }) => void heard.push(params.uri));
    const update = (uri: string) => client.callTool({ name: 'change', arguments: { what: 'updated', uri } });
    await client.subscribeResource({ uri: 'file:///cfg.json' });
    await client.subscribeResource({ uri: 'page:///two' });
    await update('page:///one');
    await update('file:///cfg.json');
    await update('page:///two');
    await vi.waitFor(() => expect(heard).toEqual(['file:///cfg.json', 'page:///two']));
    await client.unsubscribeResource({ uri: 'file:///cfg.json' });
    await update('file:///cfg.json');
    await update('page:///two');
    await vi.waitFor(() => expect(heard).toEqual(['file:///cfg.json', 'page:///two', 'page:///two']));
  });
});

describe('progress of a modern server', () => {
  const progressOf = (token: unknown, progress: number, more: object = {}) => ({
    method: 'notifications/progress',
    params: { progressToken: token, progress, ...more },
  });

  it.each(['newest', 'oldest'] as const)('reaches onprogress as it comes (%s SDK v1)', async (sdk) => {
    let goOn: (() => void) | undefined;
    const server = await serveScript(({ method, id, params }, response) => {
      if (method !== 'tools/call') return undefined;
      const write = openStream(response);
      const token = params['_meta'].progressToken;
      write(progressOf(token, 1, { total: 2, message: 'One of two' }));
      goOn = () => {
        write({ id, result: said('done').result });
        response.end();
      };
      return undefined;
    });
    const { client } = await connectHost(server.url, { sdk });
    const heard: unknown[] = [];
    const onprogress = (progress: unknown): void => {
      heard.push(progress);
      goOn?.();
    };
    expect(textOf(await client.callTool({ name: 'ask', arguments: {} }, undefined, { onprogress }))).toBe('done');
    expect(heard).toEqual([{ progress: 1, total: 2, message: 'One of two' }]);
  });

  it('only rises through all rounds of a call', async () => {
    const gates: (() => void)[] = [];
    const replies = [{ resultType: 'input_required', requestState: 's' }, said('done').result];
    const server = await serveScript(({ method, id, params }, response, count) => {
      if (method !== 'tools/call') return undefined;
      const write = openStream(response);
      write(progressOf(params['_meta'].progressToken, 10 * (count + 1)));
      gates.push(() => {
        write({ id, result: replies[count] });
        response.end();
      });
      return undefined;
    });
    const { client } = await connectHost(server.url);
    const heard: number[] = [];
    const onprogress = ({ progress }: { progress: number }): void => {
      heard.push(progress);
      if (progress >= 10) gates.shift()?.();
    };
    await client.callTool({ name: 'ask', arguments: {} }, undefined, { onprogress });
    expect(heard).toEqual(heard.toSorted((left, right) => left - right));
    expect(new Set(heard).size).toBe(heard.length);
    expect(heard).toEqual(expect.arrayContaining([10, 20]));
  });

  it('is not asked for without onprogress', async () => {
    const server = await serveScript(({ method }) => (method === 'tools/call' ? said('done') : undefined));
    const { client } = await connectHost(server.url);
    await client.callTool({ name: 'ask', arguments: {} });
    expect(server.toldOf('tools/call')[0]?.params['_meta']).not.toHaveProperty('progressToken');
  });
});

describe('a list of many pages', () => {
  it('has each tool once', async () => {
    const server = await serveScript(({ method, params }) => {
      if (method !== 'tools/list') return undefined;
      const { result } = toolsOf(toolOf(params['cursor'] === 'two' ? 'b' : 'a'));
      return { result: { ...(result as object), ...(params['cursor'] === 'two' ? {} : { nextCursor: 'two' }) } };
    });
    const { client } = await connectHost(server.url);
    const names: string[] = [];
    let cursor: string | undefined;
    do {
      const { tools, nextCursor } = await client.listTools(cursor === undefined ? undefined : { cursor });
      names.push(...tools.map(({ name }) => name));
      cursor = nextCursor;
    } while (cursor !== undefined);
    expect(names).toEqual(['a', 'b']);
  });
});

describe('a listening stream that breaks off', () => {
  it('is opened again, and what changes then is heard', async () => {
    const { types } = sdkNamed('newest');
    const capabilities = { tools: { listChanged: true } };
    const server = await serveScript(
      ({ method, id, params }, response, count) => {
        if (method !== 'subscriptions/listen') return undefined;
        const write = openStream(response);
        const _meta = { 'io.modelcontextprotocol/subscriptionId': id };
        write({ method: 'notifications/subscriptions/acknowledged', params: { ...params, _meta } });
        if (count === 0) setImmediate(() => response.destroy());
        else write({ method: 'notifications/tools/list_changed', params: { _meta } });
        return undefined;
      },
      { capabilities },
    );
    const { client } = await connectHost(server.url);
    await new Promise<void>((resolve) => {
      client.setNotificationHandler(types.ToolListChangedNotificationSchema, () => resolve());
    });
    expect(server.toldOf('subscriptions/listen')).toHaveLength(2);
  });

  it('is not opened at all for a server that announces nothing', async () => {
    const server = await serveScript(({ method }) => (method === 'tools/call' ? said('done') : undefined));
    const { client } = await connectHost(server.url);
    await client.callTool({ name: 'ask', arguments: {} });
    expect(server.toldOf('subscriptions/listen')).toEqual([]);
  });

  it('subscribes though the server does not answer notifications', async () => {
    const server = await serveScript(
      ({ method, id, params }, response) => {
        if (method !== 'subscriptions/listen') return undefined;
        const _meta = { 'io.modelcontextprotocol/subscriptionId': id };
        openStream(response)({ method: 'notifications/subscriptions/acknowledged', params: { ...params, _meta } });
        return undefined;
      },
      { capabilities: { resources: { subscribe: true } } },
      { isSilent: true },
    );
    const { client } = await connectHost(server.url);
    await client.subscribeResource({ uri: 'file:///a' });
    await client.subscribeResource({ uri: 'file:///b' }, { timeout: 2_000 });
  });
});
