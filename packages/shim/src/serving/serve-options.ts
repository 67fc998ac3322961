/** The options of the serving entry, resolved once and loudly. */

import type { AuthInfo } from '@modelcontextprotocol/sdk/server/auth/types.js';
import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { EventStore } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import type { Holds } from '../core/holds.ts';
import { describeValue } from '../core/json.ts';
import { callback, integer, knownOptions, LONGEST_DELAY, object, oneOf, wrongType } from '../core/option-checks.ts';
import type { InputRequiredOptions } from '../core/options.ts';
import { createHolds } from '../handshake/holds.ts';
import { resolvePorts } from '../handshake/platform.ts';
import { type ShimSettings, settingsOf } from '../handshake/settings.ts';
import { type CacheHints, checkCacheHints } from '../modern/cache-hints.ts';
import type { Era } from '../modern/inbound.ts';
import type { LegOptions } from '../modern/legs.ts';
import { reportersOf, type WarnUnheard } from './reporters.ts';

const OPTIONS = ['inputRequired', 'eras', 'pushCalls', 'suspend', 'cacheHints', 'onerror'];
/** What HTTP has beside them. */
export const HTTP_OPTIONS: readonly string[] = [
  'sessions',
  'allowedHosts',
  'allowedOrigins',
  'maxBodyBytes',
  'allowEphemeralKey',
];

/** Calls that may be held, and may wait to be, where the options do not say. */
const DEFAULT_HOLDS = { max: 1_000, queue: 100 };

/** What a factory is told about the server it is to make. */
export interface ServeContext {
  /** The era of the client that the server is for. Handlers need not know it. */
  readonly era: Era;
  /** Who the caller is, where the transport authenticated it. Over HTTP only. */
  readonly authInfo?: AuthInfo;
  /** The HTTP request that the server is made for: the `initialize` of a session, or the modern request itself. */
  readonly requestInfo?: Request;
}

/**
 * Makes a fresh server: one for each handshake session, each modern HTTP request, and each stdio connection. Make it
 * cheap, and share what can be shared: above all a `jsonSchemaValidator`.
 */
export type ServerFactory = (context: ServeContext) => McpServer | Server | Promise<McpServer | Server>;

/** The sessions of handshake clients over HTTP. */
export interface SessionOptions {
  /**
   * How long a session without a call or a stream stays open, in milliseconds: 1 to 2 147 483 647.
   * @defaultValue 1 800 000
   */
  readonly idleTimeout?: number | undefined;
  /** Sessions at once; the next `initialize` gets HTTP 503. An integer >= 1. @defaultValue 1 000 */
  readonly max?: number | undefined;
  /** Keeps what was sent, so that clients can resume a stream. @defaultValue none */
  readonly eventStore?: EventStore | undefined;
  /** What a client is told to wait before it resumes a stream, in milliseconds. @defaultValue the client's own */
  readonly retryInterval?: number | undefined;
  /**
   * With an event store: how long a question stays open after its client went away, in milliseconds: 1 to
   * 2 147 483 647. Without one it ends at once. @defaultValue 30 000
   */
  readonly disconnectGrace?: number | undefined;
}

/** What both serving functions take. */
export interface ServeOptions {
  /** The options of the shim; false leaves handshake connections without it. @defaultValue the shim's defaults */
  readonly inputRequired?: InputRequiredOptions | false | undefined;
  /** Which eras are served. @defaultValue 'both' */
  readonly eras?: 'both' | Era | undefined;
  /**
   * What a handler meets on the modern leg that asks in mid-body (`elicitInput`, `createMessage`, `listRoots`). `'reject'`:
   * its request ends at once with an error that names the cure. `'replay'`: the question goes to the client, and the
   * handler runs again from the top with the answer, so that whatever it does before a question happens once for each
   * round. @defaultValue 'reject'
   */
  readonly pushCalls?: 'reject' | 'replay' | undefined;
  /**
   * With `'replay'`: whether a question that goes to the client rejects in the run that asked it, so that the run ends and
   * can clean up, or never settles. @defaultValue 'reject'
   */
  readonly suspend?: 'reject' | 'pending' | undefined;
  /** How long modern clients may keep results, by the operation: `{ ttlMs, cacheScope }`. @defaultValue not at all */
  readonly cacheHints?: CacheHints | undefined;
  /** Hears of what goes wrong beside the requests themselves. @defaultValue none */
  readonly onerror?: ((error: Error) => void) | undefined;
}

export interface HttpServeOptions extends ServeOptions {
  readonly sessions?: SessionOptions | undefined;
  /** The host names, without ports, under which the server may be called. @defaultValue loopback names */
  readonly allowedHosts?: readonly string[] | undefined;
  /** The host names of the pages whose scripts may call it. @defaultValue `allowedHosts`, or loopback names */
  readonly allowedOrigins?: readonly string[] | undefined;
  /** The longest body that is read, in bytes. An integer >= 1. @defaultValue 4 194 304 */
  readonly maxBodyBytes?: number | undefined;
  /** Lets the server go beyond loopback names without a `requestState` key. @defaultValue false */
  readonly allowEphemeralKey?: boolean | undefined;
}

export interface ResolvedServeOptions {
  readonly eras: 'both' | Era;
  /** The settings of both legs, for servers that the factory did not wrap itself. */
  readonly settings: ShimSettings;
  readonly hasShim: boolean;
  /** The places for held calls, of servers that have none of their own. */
  readonly holds: Holds;
  /** Whether they are the entry's, and of nobody else. */
  readonly hasOwnHolds: boolean;
  readonly cacheHints: CacheHints | undefined;
  readonly push: LegOptions['push'];
  readonly onError: (error: Error) => void;
  readonly warnUnheard: WarnUnheard;
}

export interface ResolvedSessionOptions {
  readonly idleTimeout: number;
  readonly max: number;
  readonly eventStore: EventStore | undefined;
  readonly retryInterval: number | undefined;
  readonly disconnectGrace: number;
}

/** @throws TypeError when a value has the wrong type, RangeError when it is out of bounds; the message ends `, got X`. */
export function resolveServeOptions(options: ServeOptions = {}, more: readonly string[] = []): ResolvedServeOptions {
  object('options', options);
  knownOptions('options', options, [...OPTIONS, ...more]);
  const { inputRequired, eras = 'both', pushCalls = 'reject', suspend = 'reject', cacheHints } = options;
  if (cacheHints !== undefined) checkCacheHints(cacheHints);
  const onerror = callback('onerror', options.onerror);
  const settings = settingsOf(inputRequired === false ? undefined : inputRequired, true);
  return {
    eras: oneOf('eras', eras, ['both', 'handshake', 'modern']),
    settings,
    hasShim: inputRequired !== false,
    hasOwnHolds: settings.options.holds === undefined,
    holds: settings.options.holds ?? createHolds({ ...DEFAULT_HOLDS, ports: settings.ports }),
    cacheHints,
    push: {
      calls: oneOf('pushCalls', pushCalls, ['reject', 'replay']),
      suspend: oneOf('suspend', suspend, ['reject', 'pending']),
    },
    ...reportersOf(onerror, resolvePorts(settings.ports).warn),
  };
}

export function resolveSessionOptions(sessions: SessionOptions = {}): ResolvedSessionOptions {
  object('sessions', sessions);
  knownOptions('sessions', sessions, ['idleTimeout', 'max', 'eventStore', 'retryInterval', 'disconnectGrace']);
  const { idleTimeout = 1_800_000, max = 1_000, disconnectGrace = 30_000, eventStore, retryInterval } = sessions;
  if (eventStore !== undefined && !isEventStore(eventStore)) {
    throw wrongType('sessions.eventStore', 'an event store of SDK v1', eventStore);
  }
  return {
    idleTimeout: integer('sessions.idleTimeout', idleTimeout, LONGEST_DELAY),
    max: integer('sessions.max', max),
    eventStore,
    retryInterval:
      retryInterval === undefined ? undefined : integer('sessions.retryInterval', retryInterval, LONGEST_DELAY),
    disconnectGrace: integer('sessions.disconnectGrace', disconnectGrace, LONGEST_DELAY),
  };
}

function isEventStore(store: EventStore | null): boolean {
  return typeof store?.storeEvent === 'function' && typeof store.replayEventsAfter === 'function';
}

/** A list of host names, or none. @throws TypeError for anything else, and for a name with a scheme, port or path. */
export function hostNames(name: string, value: unknown): readonly string[] | undefined {
  if (value === undefined) return undefined;
  if (!Array.isArray(value)) throw wrongType(name, 'a list of host names', value);
  for (const host of value as unknown[]) {
    if (typeof host !== 'string' || host === '' || /[/\s]|^[^[]*:/.test(host)) {
      throw new TypeError(`${name} must hold host names without scheme and port, got ${describeValue(host)}`);
    }
  }
  return (value as string[]).map((host) => host.toLowerCase());
}
