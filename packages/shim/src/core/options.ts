/** The options of the middleware, resolved once and loudly. */
import type { EventHook } from './events.ts';
import { describeValue } from './json.ts';
import { type CallerAuth, defaultSubject, type SubjectOf } from './principal.ts';

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
   * Who the caller is, beside its client id. A throw denies. Called only where two callers are to be compared.
   * @defaultValue a non-empty `extra.sub` with `extra.iss`, else none
   */
  readonly subject?: SubjectOf | undefined;
  /** Limits for what a handler gives as `requestState`. */
  readonly requestState?: RequestStateOptions | undefined;
  /** Sees every event. A hook that throws or rejects never changes a call. @defaultValue none */
  readonly onEvent?: EventHook | undefined;
  /** Replaces parts of the platform, for tests. @defaultValue the platform's own */
  readonly ports?: Partial<Ports> | undefined;
}

export interface RequestStateOptions {
  /** The largest state, in bytes of UTF-8 JSON. An integer >= 1. @defaultValue 65 536 */
  readonly maxBytes?: number | undefined;
}

export interface ResolvedOptions {
  readonly maxRounds: number;
  readonly roundTimeout: number;
  readonly legs: 'sequential' | 'concurrent';
  readonly onFailedLeg: 'end' | 'reenter';
  readonly onRepeatedAsk: 'end' | 'allow';
  readonly heartbeat: number | false;
  readonly subject: (authInfo: CallerAuth) => string | undefined;
  readonly maxStateBytes: number;
  readonly onEvent: EventHook | undefined;
}

export const LONGEST_DELAY = 2_147_483_647;

/**
 * Checks `options` and fills in the defaults.
 *
 * @throws TypeError when a value has the wrong type, RangeError when it is out of bounds; the message ends `, got X`.
 */
export function resolveOptions(options: InputRequiredOptions = {}): ResolvedOptions {
  requireObject('options', options);
  // Defaults stand in for what is undefined; null is a value like any other, and a wrong one.
  const { maxRounds = 8, roundTimeout = 600_000, heartbeat = 15_000, requestState = {} } = options;
  const { legs = 'sequential', onFailedLeg = 'end', onRepeatedAsk = 'end' } = options;
  requireObject('requestState', requestState);
  const { maxBytes = 65_536 } = requestState;
  return {
    maxRounds: integer('maxRounds', maxRounds, Number.MAX_SAFE_INTEGER),
    roundTimeout: integer('roundTimeout', roundTimeout, LONGEST_DELAY),
    legs: oneOf('legs', legs, ['sequential', 'concurrent']),
    onFailedLeg: oneOf('onFailedLeg', onFailedLeg, ['end', 'reenter']),
    onRepeatedAsk: oneOf('onRepeatedAsk', onRepeatedAsk, ['end', 'allow']),
    heartbeat: heartbeat === false ? false : integer('heartbeat', heartbeat, LONGEST_DELAY),
    subject: callback('subject', options.subject) ?? defaultSubject,
    maxStateBytes: integer('requestState.maxBytes', maxBytes, Number.MAX_SAFE_INTEGER),
    onEvent: callback('onEvent', options.onEvent),
  };
}

function integer(name: string, value: unknown, max: number): number {
  if (typeof value !== 'number') throw new TypeError(`${name} must be a number, got ${describeValue(value)}`);
  if (!Number.isInteger(value) || value < 1 || value > max) {
    throw new RangeError(`${name} must be an integer from 1 to ${max}, got ${value}`);
  }
  return value;
}

function oneOf<const Choice extends string>(name: string, value: unknown, choices: readonly Choice[]): Choice {
  const names = choices.map((choice) => `'${choice}'`).join(' or ');
  if (typeof value !== 'string') throw new TypeError(`${name} must be ${names}, got ${describeValue(value)}`);
  const choice = choices.find((known) => known === value);
  if (choice === undefined) throw new RangeError(`${name} must be ${names}, got ${describeValue(value)}`);
  return choice;
}

function callback<Callback>(name: string, value: Callback | undefined): Callback | undefined {
  if (value === undefined || typeof value === 'function') return value;
  throw new TypeError(`${name} must be a function, got ${describeValue(value)}`);
}

function requireObject(name: string, value: unknown): void {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return;
  throw new TypeError(`${name} must be an object, got ${describeValue(value)}`);
}
