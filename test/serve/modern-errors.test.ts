import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Json } from '../support/json.ts';
import { callOf, modern, retryOf, textOf } from './modern-message.ts';
import { describeModern, type ModernSession, openModernSession } from './modern-session.ts';

describeModern('[M1h] what a modern client is answered', (transport, sdk) => {
  let session: ModernSession;
  beforeAll(async () => {
    session = await openModernSession(transport, { factory: 'features', sdk });
  });
  afterAll(() => session.close());

  const inBand = transport === 'http' ? 200 : 0;
  const tellError = async (message: Json): Promise<Json> => {
    const { answer, status } = await session.tell(message);
    expect(answer['result']).toBeUndefined();
    return { ...(answer['error'] as Json), status };
  };

  it.each(['nope', 'off', '', '__proto__'])('to a call of a tool that it cannot call: %j', async (name) => {
    expect(await tellError(callOf(name))).toMatchObject({ code: -32602, status: inBand });
  });

  it('to a call of a tool that says so of itself: its result', async () => {
    const { answer } = await session.tell(callOf('liar'));
    expect(answer['result']).toMatchObject({
      isError: true,
      content: [{ text: 'MCP error -32602: Tool liar not found' }],
    });
  });

  it.each(['file:///no', 'page:///gone', 'nonsense'])('to a read of a resource that is not there: %s', async (uri) => {
    const { code, data, message, status } = await tellError(modern('resources/read', { uri }));
    expect([code, data, status]).toEqual([-32602, { uri }, inBand]);
    expect(message).not.toContain('MCP error');
  });

  it('to a prompt that is not there', async () => {
    expect(await tellError(modern('prompts/get', { name: 'nope' }))).toMatchObject({ code: -32602, status: inBand });
  });

  it.each(['acme/nope', 'logging/setLevel', 'resources/subscribe', 'resources/unsubscribe', 'tasks/list', 'ping'])(
    'to a method that it cannot use: %s',
    async (method) => {
      expect(await tellError(modern(method, { uri: 'file:///cfg.json', level: 'debug' }))).toMatchObject({
        code: -32601,
        status: transport === 'http' ? 404 : 0,
      });
    },
  );

  it('to a method of the vendor: its result', async () => {
    const { answer, status } = await session.tell(modern('acme/sum', { terms: [1, 2, 3] }));
    expect(answer['result']).toMatchObject({ resultType: 'complete', sum: 6 });
    expect(status).toBe(inBand);
  });

  it('to a notification of the vendor: nothing, and the handler has it', async () => {
    const { id: _id, ...notification } = modern('notifications/acme/hello', { from: 'afar' });
    const status = await session.peer.send(notification, {
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'notifications/acme/hello',
    });
    expect(status).toBe(transport === 'http' ? 202 : 0);
    expect(await session.reports.next()).toEqual({ hello: 'afar' });
  });

  it('to a tool that has to have pages opened first: an ask for each of them', async () => {
    const request = callOf('sign_in', { pages: 2 }, { capabilities: { elicitation: { url: {} } } });
    const { answer } = await session.tell(request);
    const { inputRequests, ...others } = answer['result'];
    expect(Object.values(inputRequests as Json)).toStrictEqual([
      { method: 'elicitation/create', params: { mode: 'url', message: 'Sign in 1', url: 'https://mcp.example.com/1' } },
      { method: 'elicitation/create', params: { mode: 'url', message: 'Sign in 2', url: 'https://mcp.example.com/2' } },
    ]);
    expect(Object.keys(others).sort()).toEqual(['_meta', 'resultType']);
    // The handler finds out by itself that nobody has signed in.
    const answers = Object.fromEntries(Object.keys(inputRequests).map((key) => [key, { action: 'accept' }]));
    const again = await session.tell(retryOf(request, answer, answers));
    expect(again.answer['result'].resultType).toBe('input_required');
  });

  it('to the same tool where the client opens no pages: what it lacks', async () => {
    const { code, data, status } = await tellError(
      callOf('sign_in', { pages: 1 }, { capabilities: { elicitation: {} } }),
    );
    expect([code, data, status]).toEqual([
      -32021,
      { requiredCapabilities: { elicitation: { url: {} } } },
      transport === 'http' ? 400 : 0,
    ]);
  });

  it('to the same tool where no page is named: an error, and not -32042', async () => {
    const { code } = await tellError(callOf('sign_in', { pages: 0 }, { capabilities: { elicitation: { url: {} } } }));
    expect(code).toBe(-32603);
  });

  it('after all that, to an ordinary call', async () => {
    expect(textOf((await session.tell(callOf('echo', { text: 'hi' }))).answer)).toBe('hi');
  });
});
