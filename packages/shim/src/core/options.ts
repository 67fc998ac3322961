/** The options of the middleware, resolved once and loudly. */
import type { EventHook } from './events.ts';
import type { Holds } from './holds.ts';
import { callback, integer, knownOptions, LONGEST_DELAY, object, oneOf, wrongType } from './option-checks.ts';
import { type CallerAuth, defaultSubject, type SubjectOf } from './principal.ts';
import type { RequestStateCodec, RequestStateCodecOptions } from './request-state.ts';
import type { Telemetry } from './telemetry.ts';

/** The parts of a clock that the middleware uses; the platform's own by default. */
export interface Clock {
  readonly setTimeout: (run: () => void, ms: number) => unknown;
  readonly clearTimeout: (timer: unknown) => void;
  /** Runs after the microtasks and the input that are pending now. */
  readonly setImmediate: (run: () => void) => unknown;
  readonly clearImmediate: (immediate: unknown) => void;
  /** Milliseconds, monotonic. */
  readonly now: () => number;
}

/** Where the middleware meets the platform. Each is the platform's own unless given: tests drive them by hand. */
export interface Ports {
  readonly clock: Clock;
  /** A fresh, unguessable text. */
  readonly randomId: () => string;
  readonly warn: (message: string) => void;
}

export interface InputRequiredOptions {
  /** Rounds per call: the ask after the last one ends the call. An integer >= 1. @defaultValue 8 */
  readonly maxRounds?: number | undefined;
  /**
   * Time for one round's answers, all together, in milliseconds: 1 to 2 147 483 647. A hard limit, so that one call
   * holds at most `maxRounds x roundTimeout`. @defaultValue 600 000
   */
  readonly roundTimeout?: number | undefined;
  /** One dialog at a time in insertion order, or all of a round at once. @defaultValue 'sequential' */
  readonly legs?: 'sequential' | 'concurrent' | undefined;
  /**
   * A client's error answer ends the call, or the round goes on and the handler reads that answer as `failed`. A
   * time-out, a cancellation and a lost channel always end the call. @defaultValue 'end'
   */
  readonly onFailedLeg?: 'end' | 'reenter' | undefined;
  /**
   * The same question again after a refusal, an error or three unusable answers ends the call, or is left to
   * `maxRounds`. @defaultValue 'end'
   */
  readonly onRepeatedAsk?: 'end' | 'allow' | undefined;
  /**
   * Milliseconds between the progress notifications that keep a waiting caller alive, if it sent a progress token: 1 to
   * 2 147 483 647, or false for none. The first goes out with the first leg. @defaultValue 15 000
   */
  readonly heartbeat?: number | false | undefined;
  /**
   * Who the caller is, beside its client id. A throw denies. Called for each ask, and where two callers are compared.
   * @defaultValue a non-empty `extra.sub` with `extra.iss`, else none
   */
  readonly subject?: SubjectOf | undefined;
  /**
   * How a `requestState` is sealed where it leaves the process, and how large it may be: the options of
   * `createRequestStateCodec`, or a codec. @defaultValue a fresh key of this process
   */
  readonly requestState?: RequestStateCodecOptions | RequestStateCodec | undefined;
  /**
   * The places for held calls, made by `createHolds` and shared by any number of servers. @defaultValue no limit and no
   * figures; 1 000 places and a queue of 100 with `createMcpHandler` and `serveStdio`
   */
  readonly holds?: Holds | undefined;
  /** Traces and measures every held call: `openTelemetry()` of `mcp-dual-era/otel`. @defaultValue none */
  readonly telemetry?: Telemetry | undefined;
  /** Sees every event. A hook that throws or rejects never changes a call. @defaultValue none */
  readonly onEvent?: EventHook | undefined;
  /** Replaces parts of the platform, for tests. @defaultValue the platform's own */
  readonly ports?: Partial<Ports> | undefined;
}

const OPTIONS = [
  'maxRounds',
  'roundTimeout',
  'legs',
  'onFailedLeg',
  'onRepeatedAsk',
  'heartbeat',
  'subject',
  'requestState',
  'holds',
  'telemetry',
  'onEvent',
  'ports',
];

export interface ResolvedOptions {
  readonly maxRounds: number;
  readonly roundTimeout: number;
  readonly legs: 'sequential' | 'concurrent';
  readonly onFailedLeg: 'end' | 'reenter';
  readonly onRepeatedAsk: 'end' | 'allow';
  readonly heartbeat: number | false;
  readonly subject: (authInfo: CallerAuth) => string | undefined;
  readonly maxStateBytes: number;
  readonly holds: Holds | undefined;
  readonly telemetry: Telemetry | undefined;
  readonly onEvent: EventHook | undefined;
}

/**
 * Tells a codec from the options of one.
 *
 * @throws TypeError when it is half a codec.
 */
export function isCodec(value: RequestStateCodecOptions | RequestStateCodec): value is RequestStateCodec {
  if (!('mint' in value) && !('verify' in value)) return false;
  const { mint, verify } = value as Partial<RequestStateCodec>;
  if (typeof mint === 'function' && typeof verify === 'function') return true;
  throw wrongType('requestState', 'the options of a codec, or a codec with mint and verify', value);
}

/**
 * Checks `options` and fills in the defaults.
 *
 * @throws TypeError when a value has the wrong type, RangeError when it is out of bounds; the message ends `, got X`.
 */
export function resolveOptions(options: InputRequiredOptions = {}): ResolvedOptions {
  object('options', options);
  knownOptions('options', options, OPTIONS);
  // Defaults stand in for what is undefined; null is a value like any other, and a wrong one.
  const { maxRounds = 8, roundTimeout = 600_000, heartbeat = 15_000, requestState = {} } = options;
  const { legs = 'sequential', onFailedLeg = 'end', onRepeatedAsk = 'end' } = options;
  object('requestState', requestState);
  const { maxBytes = 65_536 } = isCodec(requestState) ? {} : requestState;
  return {
    maxRounds: integer('maxRounds', maxRounds),
    roundTimeout: integer('roundTimeout', roundTimeout, LONGEST_DELAY),
    legs: oneOf('legs', legs, ['sequential', 'concurrent']),
    onFailedLeg: oneOf('onFailedLeg', onFailedLeg, ['end', 'reenter']),
    onRepeatedAsk: oneOf('onRepeatedAsk', onRepeatedAsk, ['end', 'allow']),
    heartbeat: heartbeat === false ? false : integer('heartbeat, unless false,', heartbeat, LONGEST_DELAY),
    subject: callback('subject', options.subject) ?? defaultSubject,
    maxStateBytes: integer('requestState.maxBytes', maxBytes),
    holds: options.holds,
    telemetry: telemetryOf(options.telemetry),
    onEvent: callback('onEvent', options.onEvent),
  };
}

function telemetryOf(telemetry: Telemetry | undefined): Telemetry | undefined {
  if (telemetry === undefined) return undefined;
  object('telemetry', telemetry);
  for (const name of ['onEvent', 'onHold', 'contextOf'] as const) {
    if (typeof telemetry[name] !== 'function') throw wrongType(`telemetry.${name}`, 'a function', telemetry[name]);
  }
  return telemetry;
}
