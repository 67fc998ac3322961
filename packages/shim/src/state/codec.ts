/** Seals what leaves the process, and opens only what was sealed for the call at hand. */
import { createHmac, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto';
import { describeValue } from '../core/json.ts';
import type {
  RequestStateCodec,
  RequestStateCodecOptions,
  SingleUseStore,
  StateBinding,
} from '../core/request-state.ts';
import { isUnwantedPromise } from '../core/thenable.ts';
import { readCodecOptions } from './codec-options.ts';
import { open, seal } from './envelope.ts';
import { deriveKey, readKeys, type StateKey } from './keys.ts';
import { RequestStateError } from './request-state-error.ts';

/** A state that was opened. */
export interface OpenedState {
  readonly payload: unknown;
  /** For a single-use store; undefined when the state was minted without one. */
  readonly id: string | undefined;
  readonly expiresAt: number;
}

/** What is inside the envelope, as JSON. */
type Sealed = [payload: unknown, issuedAt: number, expiresAt: number, binding: string, id?: string];

/** Symbol.for, so that the ESM build opens the states of a codec that the CJS build made. */
const OPENABLE: unique symbol = Symbol.for('mcp-dual-era.codec.1');

/** What a codec of ours can do beyond what its interface says. */
interface Openable {
  readonly maxBytes: number;
  /** The codec's own, to tell it from one that was made of it. */
  readonly verify: RequestStateCodec['verify'];
  /** Opens a state without using it up. @throws RequestStateError */
  open(state: unknown, call: StateBinding): OpenedState;
}

interface OpenableCodec extends RequestStateCodec {
  readonly [OPENABLE]: Openable;
}

/** What `codec` can do beyond its interface; undefined when it is one of the user's own. */
export function openableOf(codec: RequestStateCodec): Openable | undefined {
  const openable = OPENABLE in codec ? (codec as OpenableCodec)[OPENABLE] : undefined;
  return openable?.verify === codec.verify ? openable : undefined;
}

/** A codec that verifies at once. */
export interface SyncRequestStateCodec extends RequestStateCodec {
  mint(payload: unknown, call: StateBinding): string;
  verify(state: unknown, call: StateBinding): unknown;
}

/** A codec that asks its single-use store. */
export interface SingleUseRequestStateCodec extends RequestStateCodec {
  mint(payload: unknown, call: StateBinding): string;
  verify(state: unknown, call: StateBinding): Promise<unknown>;
}

// Clocks of the machines that share a key may differ by so much.
const CLOCK_SKEW = 60_000;
// What a payload of `maxBytes` comes to with its times, its binding and its id, before base64.
const OVERHEAD = 512;

/**
 * A codec for `requestState`, which travels through the client (spec: basic/patterns/mrtr, requestState).
 *
 * `mint` throws a TypeError for what is no JSON value, and a RangeError above `maxBytes`. `verify` throws, or with
 * `singleUse` rejects with, one and the same error for every cause: `code` -32602, `message`
 * `Invalid or expired requestState`, `data` `{ reason: 'invalid_request_state' }`; its `cause` says why, for logs alone.
 *
 * @throws TypeError when an option has the wrong type, RangeError when it is out of bounds; the message ends `, got X`.
 */
export function createRequestStateCodec(
  options: RequestStateCodecOptions & { readonly singleUse: SingleUseStore },
): SingleUseRequestStateCodec;
export function createRequestStateCodec(
  options?: RequestStateCodecOptions & { readonly singleUse?: undefined },
): SyncRequestStateCodec;
export function createRequestStateCodec(options: RequestStateCodecOptions = {}): RequestStateCodec {
  return createOpenableCodec(options);
}

export function createOpenableCodec(options: RequestStateCodecOptions): OpenableCodec {
  const resolved = readCodecOptions(options);
  const { ttl, bind, audience, isEncrypted, singleUse, maxBytes, now } = resolved;
  const given = readKeys(options.keys);
  const isEphemeral = given === undefined;
  // Not made before it is needed: most servers without keys never seal anything.
  let ephemeral: readonly StateKey[] | undefined;
  const keys = (): readonly StateKey[] => {
    if (given !== undefined) return given;
    ephemeral ??= [deriveKey(randomBytes(32))];
    return ephemeral;
  };
  const longest = Math.ceil(((maxBytes + OVERHEAD) * 4) / 3);

  const tagOf = (call: StateBinding, key: StateKey): string => {
    const binding = 'binding' in call ? call.binding : bind(call);
    if (isUnwantedPromise(binding) || typeof binding !== 'string')
      throw new TypeError(`bind must return a string, got ${describeValue(binding)}`);
    // As a list, so that no text can pass for another pair.
    const text = JSON.stringify([audience ?? null, 'binding' in call, binding]);
    return createHmac('sha256', key.bind).update(text).digest('base64url');
  };

  const mint = (payload: unknown, call: StateBinding): string => {
    const json = payloadJson(payload, maxBytes);
    const [key] = keys() as [StateKey];
    const issuedAt = now();
    const id = singleUse === undefined ? [] : [randomUUID()];
    const expiresAt = Math.min(issuedAt + ttl, Number.MAX_SAFE_INTEGER);
    const rest = JSON.stringify([issuedAt, expiresAt, tagOf(call, key), ...id]);
    return seal(`[${json},${rest.slice(1)}`, key, { isEncrypted, isEphemeral });
  };

  const openSealed = (state: unknown, call: StateBinding): OpenedState => {
    const [text, key] = open(state, keys(), longest);
    const [payload, issuedAt, expiresAt, binding, id] = JSON.parse(text) as Sealed;
    const time = now();
    if (expiresAt <= time) throw new RequestStateError('expired');
    if (issuedAt > time + CLOCK_SKEW) throw new RequestStateError('not-yet-valid');
    if (!isSameText(binding, bindingOf(call, key))) throw new RequestStateError('wrong-binding');
    return { payload, id, expiresAt };
  };

  const bindingOf = (call: StateBinding, key: StateKey): string => {
    try {
      return tagOf(call, key);
    } catch {
      throw new RequestStateError('wrong-binding');
    }
  };

  const verify = (state: unknown, call: StateBinding): unknown => {
    if (singleUse === undefined) return openSealed(state, call).payload;
    return Promise.resolve().then(async () => {
      const opened = openSealed(state, call);
      await consume(opened, singleUse);
      return opened.payload;
    });
  };
  return { mint, verify, [OPENABLE]: { maxBytes, verify, open: openSealed } };
}

/**
 * The payload of a state that is not used up by it. A codec of the user's own knows only how to verify.
 *
 * @throws what the codec throws for a state that it did not mint for `call`.
 */
export async function openState(codec: RequestStateCodec, state: unknown, call: StateBinding): Promise<unknown> {
  const openable = openableOf(codec);
  return openable === undefined ? codec.verify(state, call) : openable.open(state, call).payload;
}

/**
 * Uses `opened` up.
 *
 * @throws RequestStateError when it was used before, when it cannot be told from others, or when the store fails.
 */
export async function consume({ id, expiresAt }: OpenedState, store: SingleUseStore): Promise<void> {
  if (id === undefined) throw new RequestStateError('used');
  let isFirst: unknown;
  try {
    isFirst = await store.consume(id, expiresAt);
  } catch {
    throw new RequestStateError('store-failed');
  }
  if (isFirst !== true) throw new RequestStateError('used');
}

function payloadJson(payload: unknown, maxBytes: number): string {
  if (isUnwantedPromise(payload)) throw new TypeError('A requestState payload must be a JSON value, got a promise');
  const json = JSON.stringify(payload) as string | undefined;
  if (json === undefined || (typeof payload === 'number' && !Number.isFinite(payload))) {
    throw new TypeError(`A requestState payload must be a JSON value, got ${describeValue(payload)}`);
  }
  const bytes = Buffer.byteLength(json);
  if (bytes > maxBytes) {
    throw new RangeError(`A requestState payload must have at most ${maxBytes} bytes as JSON, got ${bytes}`);
  }
  return json;
}

function isSameText(left: string, right: string): boolean {
  return left.length === right.length && timingSafeEqual(Buffer.from(left), Buffer.from(right));
}
