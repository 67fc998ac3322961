import { describe, expect, it } from 'vitest';
import { Calls } from '../../packages/shim/src/handshake/calls.ts';
import { IdsInUse } from '../../packages/shim/src/handshake/ids-in-use.ts';
import { StreamGrace } from '../../packages/shim/src/handshake/stream-grace.ts';
import { watchHttp } from '../../packages/shim/src/handshake/watch-http.ts';
import type { Json } from '../support/json.ts';
import { ManualClock } from '../support/manual-clock.ts';

const URL = 'http://127.0.0.1/mcp';
const EVENTS = { headers: { 'content-type': 'text/event-stream; charset=utf-8' } };
const PING = { jsonrpc: '2.0', id: 1, method: 'ping' };
const LONG = { jsonrpc: '2.0', id: 1, method: 'ping', params: { note: 'x'.repeat(20_000) } };

/** A transport whose `handleRequest` tells what it was given, and answers what `answer` gives. */
function watched(answer: () => unknown = () => new Response(), sessionId?: string) {
  const ids = new IdsInUse(new Calls());
  const clock = new ManualClock();
  const grace = new StreamGrace(1_000, clock);
  const given: unknown[][] = [];
  const transport = {
    sessionId,
    handleRequest: async (...args: unknown[]) => {
      given.push(args);
      return answer();
    },
  };
  expect(watchHttp(transport, ids, grace)).toBe(true);
  return { ids, clock, grace, given, handle: (...args: unknown[]) => transport.handleRequest(...args) };
}

const post = (message: unknown, headers: Record<string, string> = {}): Request =>
  new Request(URL, { method: 'POST', headers, body: JSON.stringify(message) });

describe('a transport', () => {
  it.each([undefined, null, 'handleRequest'])('is left alone where its handleRequest is %o', (handleRequest) => {
    const transport = { handleRequest };
    const watch = () => watchHttp(transport as never, new IdsInUse(new Calls()), new StreamGrace(1, new ManualClock()));
    expect(watch()).toBe(false);
    expect(transport).toEqual({ handleRequest });
  });

  it.each<[string, readonly unknown[]]>([
    ['nothing', []],
    ['null', [null, null]],
    ['a text', ['POST /mcp', {}]],
    ['a number', [7]],
    ['an object without headers', [{ method: 'POST', signal: {}, body: null }]],
    ['an object without a body', [{ method: 'POST', headers: {}, signal: {} }]],
    ['an object without a signal', [{ method: 'POST', headers: {}, body: null }]],
    ['a request of no node server, with a response', [{ method: 'POST', headers: {} }, { writeHead: () => undefined }]],
  ])('may have a method of this name for something else: %s', async (_what, args) => {
    const { handle, given } = watched(() => 'its own');
    expect(await handle(...args)).toBe('its own');
    expect(given).toEqual([args]);
    expect(given[0]?.[0]).toBe(args[0]);
  });
});

describe('a web-standard request', () => {
  it('is handed on with its body as parsed, beside the options that came with it', async () => {
    const { handle, given } = watched();
    const request = post(PING);
    await handle(request, { authInfo: { clientId: 'a' } });
    await handle(post(PING));
    await handle(post(PING), null);
    expect(given.map(([, options]) => options)).toEqual([
      { authInfo: { clientId: 'a' }, parsedBody: PING },
      { parsedBody: PING },
      { parsedBody: PING },
    ]);
    expect(given[0]?.[0]).toBe(request);
  });

  it('is handed on to be read, where its body is not short', async () => {
    const { handle, given } = watched();
    const options = { authInfo: { clientId: 'a' } };
    await handle(post(LONG, { 'x-mine': 'yes' }), options);
    const [request, handed] = given[0] as [Request, unknown];
    expect([request.url, request.method, request.headers.get('x-mine')]).toEqual([URL, 'POST', 'yes']);
    expect(await request.json()).toEqual(LONG);
    expect(handed).toBe(options);
  });

  it.each<[string, Request, string | undefined]>([
    ['of another method', new Request(URL, { method: 'DELETE', body: '{}' }), undefined],
    ['of another session', post(PING, { 'mcp-session-id': 'other' }), 'own'],
    ['of no session', post(PING), 'own'],
  ])('is left unread: one %s', async (_which, request, sessionId) => {
    const { handle, given } = watched(undefined, sessionId);
    const options = {};
    await handle(request, options);
    expect(given[0]?.[0]).toBe(request);
    expect(given[0]?.[1]).toBe(options);
    expect(request.bodyUsed).toBe(false);
  });

  it('is read where it is of its session', async () => {
    const { handle, given } = watched(undefined, 'own');
    await handle(post(PING, { 'mcp-session-id': 'own' }));
    expect(given[0]?.[1]).toEqual({ parsedBody: PING });
  });

  it('is left to the transport where its body was read before, and the response is its own', async () => {
    const { handle, given } = watched(() => new Response('own', { status: 415 }));
    const request = post(PING);
    await request.text();
    const response = (await handle(request)) as Response;
    expect([response.status, await response.text()]).toEqual([415, 'own']);
    expect(given).toHaveLength(1);
  });

  it('holds its ids while it is handled, and no longer', async () => {
    const held: boolean[] = [];
    const { handle, ids } = watched(() => {
      held.push(ids.has(1));
      return new Response();
    });
    await handle(post(PING));
    expect([...held, ids.has(1)]).toEqual([true, false]);
    await expect(handle(post(PING))).resolves.toMatchObject({ status: 200 });
  });

  it('is refused where two of its batch have one id', async () => {
    const { handle, given } = watched();
    const response = (await handle(post([PING, PING]))) as Response;
    expect([response.status, response.headers.get('content-type'), response.headers.get('connection')]).toEqual([
      400,
      'application/json',
      null,
    ]);
    expect(await response.json()).toMatchObject({ id: 1, error: { code: -32600 } });
    expect(given).toEqual([]);
  });
});

describe('an initialize', () => {
  const initialize = (capabilities: unknown): Json => ({
    jsonrpc: '2.0',
    id: 0,
    method: 'initialize',
    params: { protocolVersion: '2025-11-25', capabilities, clientInfo: { name: 'c', version: '1' } },
  });

  it('is handed on without capabilities that are none', async () => {
    const { handle, given } = watched();
    await handle(post(initialize({ elicitation: 'yes', roots: {} })));
    await handle(post(initialize({ roots: {} })));
    expect(given.map(([, options]) => (options as Json)['parsedBody'])).toEqual([
      initialize({ roots: {} }),
      initialize({ roots: {} }),
    ]);
  });

  it('of another method is handed on as it is', async () => {
    const { handle, given } = watched();
    const message = { ...initialize({ elicitation: 'yes' }), method: 'other' };
    await handle(post(message));
    expect(given[0]?.[1]).toEqual({ parsedBody: message });
  });
});

describe('a client that comes back to its stream', () => {
  const back = (signal?: AbortSignal): Request =>
    new Request(URL, { headers: { 'last-event-id': 'e' }, ...(signal === undefined ? {} : { signal }) });
  const stream = (): Response => new Response(new ReadableStream(), EVENTS);

  it('has the grace stand still until its stream ends', async () => {
    const abort = new AbortController();
    const { handle, clock, grace } = watched(stream);
    let isLost = false;
    grace.wait(() => {
      isLost = true;
    });
    await handle(back(abort.signal));
    await clock.advance(10_000);
    expect(isLost).toBe(false);
    abort.abort();
    await clock.advance(1_000);
    expect(isLost).toBe(true);
  });

  it.each<[string, () => Request, () => unknown]>([
    ['a first stream', () => new Request(URL), stream],
    ['a POST', () => post(PING, { 'last-event-id': 'e' }), stream],
    ['an answer that is no stream', () => back(), () => new Response('{}')],
  ])('is not taken for one by %s', async (_what, request, answer) => {
    const { handle, clock, grace } = watched(answer);
    let isLost = false;
    grace.wait(() => {
      isLost = true;
    });
    await handle(request());
    await clock.advance(1_000);
    expect(isLost).toBe(true);
  });
});

describe('a request to a node server', () => {
  const incoming = (body: () => AsyncIterable<Uint8Array>): Json => ({
    method: 'POST',
    headers: {},
    iterator: body,
  });
  const chunks = async function* (message: unknown): AsyncGenerator<Uint8Array> {
    yield Buffer.from(JSON.stringify(message));
  };
  /** What is used of a `ServerResponse`, and what became of it. */
  function outgoing() {
    const written: unknown[] = [];
    const response = {
      headersSent: false,
      destroyed: false,
      once: () => response,
      write: () => true,
      writeHead: (...head: unknown[]) => {
        written.push(...head);
        return { end: (text: string) => void written.push(JSON.parse(text)) };
      },
    };
    return { response, written };
  }

  it('is handed on with its body as parsed', async () => {
    const { handle, given } = watched();
    const request = incoming(() => chunks(PING));
    await handle(request, outgoing().response);
    expect(given[0]?.[2]).toEqual(PING);
    expect(request).not.toHaveProperty('rawBody');
  });

  it('is handed on with its bytes, where its body is not short', async () => {
    const { handle, given } = watched();
    const request = incoming(() => chunks(LONG));
    await handle(request, outgoing().response);
    expect(given[0]?.[2]).toBeUndefined();
    expect(String(request['rawBody'])).toBe(JSON.stringify(LONG));
  });

  it('is left where the client went away while it was sending', async () => {
    const { handle, given } = watched();
    const request = incoming(async function* () {
      yield Buffer.from('{');
      throw new Error('aborted');
    });
    expect(await handle(request, outgoing().response)).toBeUndefined();
    expect(given).toEqual([]);
  });

  it('is refused where it is too long, and its connection ends with the answer', async () => {
    const { handle, given } = watched();
    const request = incoming(async function* () {
      for (;;) yield Buffer.alloc(8_388_608);
    });
    const { response, written } = outgoing();
    await handle(request, response);
    expect(written).toEqual([
      413,
      { 'content-type': 'application/json', connection: 'close' },
      { jsonrpc: '2.0', error: { code: -32600, message: 'The body of the request is too long' }, id: null },
    ]);
    expect(given).toEqual([]);
  });

  it('is refused where two of its batch have one id, and its connection stays', async () => {
    const { handle } = watched();
    const { response, written } = outgoing();
    await handle(
      incoming(() => chunks([PING, PING])),
      response,
    );
    expect(written.slice(0, 2)).toEqual([400, { 'content-type': 'application/json' }]);
  });
});
