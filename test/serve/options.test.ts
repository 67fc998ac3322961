import { createMcpHandler, type HttpServeOptions, type ServeOptions, serveStdio } from 'mcp-dual-era/serve';
import { describe, expect, it } from 'vitest';
import { memoryEventStore } from '../support/event-store.ts';
import { createSessionServer, newLog } from './session-server.ts';

const factory = () => createSessionServer(newLog(), { era: 'handshake' });
const construct = (options: unknown) => () => createMcpHandler(factory, options as HttpServeOptions);
const start = (options: unknown) => () => serveStdio(factory, options as ServeOptions);

const MAX_MS = 2_147_483_647;
const SAFE = Number.MAX_SAFE_INTEGER;
const MILLISECONDS = ['idleTimeout', 'retryInterval', 'disconnectGrace'];
const sessions = (option: string, value: unknown) => ({ sessions: { [option]: value } });

/** Of both functions. */
const WRONG: readonly (readonly [unknown, typeof TypeError | typeof RangeError, string])[] = [
  [null, TypeError, 'options must be an object, got null'],
  [[], TypeError, 'options must be an object, got an array'],
  [7, TypeError, 'options must be an object, got 7'],
  ['secret', TypeError, 'options must be an object, got a string'],
  [{ eras: 1 }, TypeError, "eras must be 'both' or 'handshake' or 'modern', got 1"],
  [{ eras: null }, TypeError, "eras must be 'both' or 'handshake' or 'modern', got null"],
  [{ eras: 'legacy' }, RangeError, "eras must be 'both' or 'handshake' or 'modern', got \"legacy\""],
  [{ onerror: 'log' }, TypeError, 'onerror must be a function, got "log"'],
  [{ onerror: null }, TypeError, 'onerror must be a function, got null'],
  [{ pushCalls: 7 }, TypeError, ', got 7'],
  [{ pushCalls: 'later' }, RangeError, ', got "later"'],
  [{ cacheHints: 'long' }, TypeError, 'cacheHints must be an object, got a string'],
  [{ cacheHints: { 'tools/list': { ttlMs: -1 } } }, RangeError, ', got -1'],
  [{ inputRequired: true }, TypeError, 'options must be an object, got true'],
  [{ inputRequired: null }, TypeError, 'options must be an object, got null'],
  [{ inputRequired: { maxRounds: 0 } }, RangeError, `maxRounds must be an integer from 1 to ${SAFE}, got 0`],
  [{ inputRequired: { requestState: { ttlSeconds: Number.NaN } } }, RangeError, ', got NaN'],
];

/** Of HTTP alone. */
const WRONG_HTTP: typeof WRONG = [
  [{ sessions: null }, TypeError, 'sessions must be an object, got null'],
  [{ sessions: 5 }, TypeError, 'sessions must be an object, got 5'],
  [{ sessions: false }, TypeError, 'sessions must be an object, got false'],
  ...MILLISECONDS.flatMap((option): typeof WRONG => [
    [sessions(option, '1000'), TypeError, `sessions.${option} must be a number, got "1000"`],
    [sessions(option, null), TypeError, `sessions.${option} must be a number, got null`],
    ...[0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, MAX_MS + 1].map((value): (typeof WRONG)[number] => [
      sessions(option, value),
      RangeError,
      `sessions.${option} must be an integer from 1 to ${MAX_MS}, got ${value}`,
    ]),
  ]),
  [sessions('max', '10'), TypeError, 'sessions.max must be a number, got "10"'],
  ...[0, -1, 2.5, Number.NaN, Number.POSITIVE_INFINITY].map((value): (typeof WRONG)[number] => [
    sessions('max', value),
    RangeError,
    `sessions.max must be an integer from 1 to ${SAFE}, got ${value}`,
  ]),
  [sessions('eventStore', {}), TypeError, 'sessions.eventStore must be an event store of SDK v1, got an object'],
  [sessions('eventStore', null), TypeError, 'sessions.eventStore must be an event store of SDK v1, got null'],
  [sessions('eventStore', 'redis'), TypeError, 'sessions.eventStore must be an event store of SDK v1, got "redis"'],
  [{ maxBodyBytes: '4mb' }, TypeError, 'maxBodyBytes must be a number, got "4mb"'],
  ...[0, -1, 0.5, Number.NaN, Number.POSITIVE_INFINITY].map((value): (typeof WRONG)[number] => [
    { maxBodyBytes: value },
    RangeError,
    `maxBodyBytes must be an integer from 1 to ${SAFE}, got ${value}`,
  ]),
  ...['allowedHosts', 'allowedOrigins'].flatMap((option): typeof WRONG => [
    [{ [option]: 'localhost' }, TypeError, `${option} must be a list of host names, got "localhost"`],
    [{ [option]: null }, TypeError, `${option} must be a list of host names, got null`],
    [{ [option]: [7] }, TypeError, `${option} must hold host names without scheme and port, got 7`],
    ...['', 'localhost:3000', '[::1]:3000', 'https://a.example', 'a.example/mcp', 'a b'].map(
      (name): (typeof WRONG)[number] => [
        { [option]: [name] },
        TypeError,
        `${option} must hold host names without scheme and port, got ${JSON.stringify(name)}`,
      ],
    ),
  ]),
  [{ allowEphemeralKey: 'yes' }, TypeError, 'allowEphemeralKey must be true or false, got "yes"'],
  [{ allowEphemeralKey: null }, TypeError, 'allowEphemeralKey must be true or false, got null'],
];

const named = <Case extends (typeof WRONG)[number]>(cases: readonly Case[]) =>
  cases.map(([options, error, message]) => [message, options, error] as const);

describe('[M5i] the options of createMcpHandler', () => {
  it.each(named([...WRONG, ...WRONG_HTTP]))('are checked when they are given: %s', (message, options, error) => {
    expect(construct(options)).toThrow(error);
    expect(construct(options)).toThrow(message);
    expect(construct(options)).toThrow(/, got [^,]+$/);
  });

  it('take no event store that lacks a part', () => {
    const { storeEvent } = memoryEventStore();
    expect(construct(sessions('eventStore', { storeEvent }))).toThrow(TypeError);
  });

  it.each<[string, HttpServeOptions | undefined]>([
    ['none', undefined],
    ['all undefined', { sessions: undefined, eras: undefined, maxBodyBytes: undefined, allowedHosts: undefined }],
    ['the least', { maxBodyBytes: 1, sessions: { idleTimeout: 1, max: 1, retryInterval: 1, disconnectGrace: 1 } }],
    ['the most', { sessions: { idleTimeout: MAX_MS, max: SAFE, retryInterval: MAX_MS, disconnectGrace: MAX_MS } }],
    ['no host at all', { allowedHosts: [], allowedOrigins: [] }],
    ['an address of IPv6', { allowedHosts: ['[::1]'], allowedOrigins: ['[::1]'] }],
    ['an event store', { sessions: { eventStore: memoryEventStore() } }],
    ['inputRequired: false', { inputRequired: false }],
  ])('may be %s', async (_name, options) => {
    await construct(options)().close();
  });

  it('are read once: what is done to them later changes nothing', async () => {
    const allowedHosts = ['localhost'];
    const handler = createMcpHandler(factory, { allowedHosts });
    allowedHosts.push('evil.example');
    const response = await handler.fetch(new Request('http://evil.example/mcp', { method: 'POST' }));
    expect(response.status).toBe(403);
    await handler.close();
  });
});

describe('the options of serveStdio', () => {
  it.each(named(WRONG))('are checked before stdin is touched: %s', (message, options, error) => {
    const before = process.stdin.listenerCount('end');
    expect(start(options)).toThrow(error);
    expect(start(options)).toThrow(message);
    expect(process.stdin.listenerCount('end')).toBe(before);
  });
});

describe('a factory that is none', () => {
  it.each([[undefined], [null], [{}], ['server.js']])('is a TypeError, of both: %j', (wrong) => {
    expect(() => createMcpHandler(wrong as never)).toThrow(TypeError);
    expect(() => serveStdio(wrong as never)).toThrow(TypeError);
  });
});
