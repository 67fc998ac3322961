/** The options that serving over HTTP has beside the others, resolved once and loudly. */
import type { EventStore } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { describeValue } from '../core/json.ts';
import { integer, knownOptions, LONGEST_DELAY, object, wrongType } from '../core/option-checks.ts';
import type { SessionOptions } from './serve-options.ts';

export const HTTP_OPTIONS: readonly string[] = [
  'sessions',
  'allowedHosts',
  'allowedOrigins',
  'maxBodyBytes',
  'allowEphemeralKey',
];

export interface ResolvedSessionOptions {
  readonly idleTimeout: number;
  readonly max: number;
  readonly eventStore: EventStore | undefined;
  readonly retryInterval: number | undefined;
  readonly disconnectGrace: number;
}

/** @throws TypeError when a value has the wrong type, RangeError when it is out of bounds; the message ends `, got X`. */
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
    if (typeof host !== 'string' || host === '' || /[/\s]|^[^[]*:|\]./.test(host)) {
      throw new TypeError(`${name} must hold host names without scheme and port, got ${describeValue(host)}`);
    }
  }
  return (value as string[]).map((host) => host.toLowerCase());
}
