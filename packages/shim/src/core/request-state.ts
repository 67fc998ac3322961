/** What is said of `requestState` by all who seal, open or bind it (spec: basic/patterns/mrtr, requestState). */
import type { JsonObject } from './json.ts';
import type { CallerAuth, SubjectOf } from './principal.ts';

/** The call that a state belongs to. */
export interface StateCall {
  readonly method: string;
  readonly params?: JsonObject | undefined;
  readonly authInfo?: CallerAuth | undefined;
  readonly requestInfo?: unknown;
  readonly sessionId?: string | undefined;
}

/** What a state is bound to: the call at hand, or a text of the author's own. */
export type StateBinding = StateCall | { readonly binding: string };

/** Why a state was refused; for the operator's events, never for the client. */
export type StateRefusalCause =
  | 'malformed'
  | 'unknown-key'
  | 'other-ephemeral-key'
  | 'bad-seal'
  | 'expired'
  | 'not-yet-valid'
  | 'wrong-binding'
  | 'used'
  | 'store-failed'
  /** A codec of the user's own threw or rejected. */
  | 'codec-refused';

/** Names what a state is bound to: two calls that may share a state get the same text. A throw denies. */
export type BindState = (call: StateCall) => string;

/** Remembers which states were used. */
export interface SingleUseStore {
  /**
   * Marks `id` as used, atomically. True the first time, false ever after until `expiresAt` (milliseconds since the
   * epoch). A rejection denies.
   */
  consume(id: string, expiresAt: number): Promise<boolean>;
}

export interface RequestStateCodec {
  /** Seals `payload`, a JSON value, for `call`. */
  mint(payload: unknown, call: StateBinding): string | Promise<string>;
  /** The payload of a state that was sealed for `call`. Throws, or rejects, for anything else. */
  verify(state: unknown, call: StateBinding): unknown;
}

export interface RequestStateCodecOptions {
  /**
   * Newest first: the first seals, all open, so that a key can be replaced while dialogs are open. Text (as UTF-8) or
   * bytes, at least 32 bytes each. @defaultValue a fresh key of this process
   */
  readonly keys?: string | Uint8Array | readonly (string | Uint8Array)[] | undefined;
  /** How long a state can be used, in seconds: a finite number >= 1. @defaultValue 600 */
  readonly ttlSeconds?: number | undefined;
  /** What a state is bound to. @defaultValue `defaultBinding`: the caller, the method, its target and every parameter */
  readonly bind?: BindState | undefined;
  /** Who the caller is, for the default binding. @defaultValue a non-empty `extra.sub` with `extra.iss`, else none */
  readonly subject?: SubjectOf | undefined;
  /** Keeps apart the states of services that share a key. @defaultValue none */
  readonly audience?: string | undefined;
  /** Hides the payload from the client (AES-256-GCM), beyond keeping it from being changed. @defaultValue false */
  readonly encrypt?: boolean | undefined;
  /** Has each state used once at most. @defaultValue none: a state can be used again until it expires */
  readonly singleUse?: SingleUseStore | undefined;
  /** The largest payload, in bytes of UTF-8 JSON. An integer >= 1. @defaultValue 65 536 */
  readonly maxBytes?: number | undefined;
  /** Lets the modern HTTP leg go beyond loopback names without `keys`. @defaultValue false */
  readonly allowEphemeralKey?: boolean | undefined;
  /** Replaces the platform's clock, for tests. @defaultValue the platform's own */
  readonly ports?: { readonly now?: () => number } | undefined;
}
