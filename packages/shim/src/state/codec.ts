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
import { consume, OPENABLE, type Openable, type OpenableCodec, type OpenedState } from './openable.ts';
import { RequestStateError } from './request-state-error.ts';
import { tooLarge } from './too-large.ts';

/** What is inside the envelope, as JSON. */
type Sealed = [payload: unknown, issuedAt: number, expiresAt: number, binding: string, id?: string];

/** What the middleware's record may take beside the handler's payload, in bytes of JSON. */
const RECORD_BYTES = 65_536;
const ASK = 'ask';

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

/** Keys for codecs that are given none: made once, when they are first needed. */
export function ephemeralKeys(): () => readonly StateKey[] {
  let keys: readonly StateKey[] | undefined;
  return () => {
    keys ??= [deriveKey(randomBytes(32))];
    return keys;
  };
}

/** The codec of a server's middleware. @param keys - where the options have none. */
export function createMiddlewareCodec(
  options: RequestStateCodecOptions,
  keys: () => readonly StateKey[] = ephemeralKeys(),
): RequestStateCodec {
  return createOpenableCodec(options, keys);
}

function createOpenableCodec(
  options: RequestStateCodecOptions,
  ownKeys: () => readonly StateKey[] = ephemeralKeys(),
): OpenableCodec {
  const resolved = readCodecOptions(options);
  const { ttl, bind, audience, isEncrypted, singleUse, maxBytes, now } = resolved;
  const given = readKeys(options.keys);
  const isEphemeral = given === undefined;
  const keys = (): readonly StateKey[] => given ?? ownKeys();

  const tagOf = (call: StateBinding, key: StateKey, purpose: readonly string[]): string => {
    const binding = 'binding' in call ? call.binding : bind(call);
    if (isUnwantedPromise(binding) || typeof binding !== 'string')
      throw new TypeError(`bind must return a string, got ${describeValue(binding)}`);
    // As a list, so that no text can pass for another pair.
    const text = JSON.stringify([audience ?? null, 'binding' in call, binding, ...purpose]);
    return createHmac('sha256', key.bind).update(text).digest('base64url');
  };

  const sealFor = (
    purpose: readonly string[],
    json: string,
    { call, isEncrypted }: { readonly call: StateBinding; readonly isEncrypted: boolean },
  ): string => {
    const [key] = keys() as [StateKey];
    const issuedAt = now();
    const id = singleUse === undefined ? [] : [randomUUID()];
    const expiresAt = Math.min(issuedAt + ttl, Number.MAX_SAFE_INTEGER);
    const rest = JSON.stringify([issuedAt, expiresAt, tagOf(call, key, purpose), ...id]);
    return seal(`[${json},${rest.slice(1)}`, key, { isEncrypted, isEphemeral });
  };
  const mint = (payload: unknown, call: StateBinding): string =>
    sealFor([], payloadJson(payload, maxBytes), { call, isEncrypted });

  const openFor = (
    purpose: readonly string[],
    state: unknown,
    { call, most }: { readonly call: StateBinding; readonly most: number },
  ): OpenedState => {
    const [text, key] = open(state, keys(), Math.ceil(((most + OVERHEAD) * 4) / 3));
    const [payload, issuedAt, expiresAt, binding, id] = JSON.parse(text) as Sealed;
    const time = now();
    if (expiresAt <= time) throw new RequestStateError('expired');
    if (issuedAt > time + CLOCK_SKEW) throw new RequestStateError('not-yet-valid');
    if (!isSameText(binding, bindingOf(call, key, purpose))) throw new RequestStateError('wrong-binding');
    return { payload, id, expiresAt };
  };
  const openSealed = (state: unknown, call: StateBinding): OpenedState => openFor([], state, { call, most: maxBytes });

  const bindingOf = (call: StateBinding, key: StateKey, purpose: readonly string[]): string => {
    try {
      return tagOf(call, key, purpose);
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

  const mostOfAsk = maxBytes + RECORD_BYTES;
  const sealAsk: Openable['sealAsk'] = (payload, call, isRecorded) =>
    sealFor([ASK], payloadJson(payload, mostOfAsk), { call, isEncrypted: isEncrypted || isRecorded });
  const openAsk: Openable['openAsk'] = async (state, call) => {
    const opened = openFor([ASK], state, { call, most: mostOfAsk });
    if (singleUse !== undefined) await consume(opened, singleUse);
    return opened.payload;
  };
  return { mint, verify, [OPENABLE]: { maxBytes, isEphemeral, verify, open: openSealed, sealAsk, openAsk } };
}

function payloadJson(payload: unknown, maxBytes: number): string {
  if (isUnwantedPromise(payload)) throw new TypeError('A requestState payload must be a JSON value, got a promise');
  const json = JSON.stringify(payload) as string | undefined;
  if (json === undefined || (typeof payload === 'number' && !Number.isFinite(payload))) {
    throw new TypeError(`A requestState payload must be a JSON value, got ${describeValue(payload)}`);
  }
  const bytes = Buffer.byteLength(json);
  if (bytes > maxBytes) {
    throw tooLarge(maxBytes, bytes);
  }
  return json;
}

function isSameText(left: string, right: string): boolean {
  return left.length === right.length && timingSafeEqual(Buffer.from(left), Buffer.from(right));
}
