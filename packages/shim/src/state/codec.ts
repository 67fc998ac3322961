/** Seals what leaves the process, and opens only what was sealed for the call at hand. */
import { randomBytes } from 'node:crypto';
import type {
  RequestStateCodec,
  RequestStateCodecOptions,
  SingleUseStore,
  StateBinding,
} from '../core/request-state.ts';
import { readCodecOptions } from './codec-options.ts';
import { deriveKey, readKeys, type StateKey } from './keys.ts';
import { consume, OPENABLE, type Openable, type OpenableCodec, type OpenedState } from './openable.ts';
import { payloadJson } from './payload.ts';
import { Sealer } from './sealer.ts';

/** What the middleware's record may take beside the handler's payload, in bytes of JSON. */
const RECORD_BYTES = 65_536;
/** The purpose of what the middleware seals. */
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
  return createMiddlewareCodec(options);
}

/** Keys for codecs that are given none: made once, when they are first needed. */
export function ephemeralKeys(): () => readonly StateKey[] {
  let keys: readonly StateKey[] | undefined;
  return () => {
    keys ??= [deriveKey(randomBytes(32))];
    return keys;
  };
}

/** The codec of a server's middleware. @param ownKeys - where the options have none. */
export function createMiddlewareCodec(
  options: RequestStateCodecOptions,
  ownKeys: () => readonly StateKey[] = ephemeralKeys(),
): OpenableCodec {
  const resolved = readCodecOptions(options);
  const { isEncrypted, singleUse, maxBytes } = resolved;
  const given = readKeys(options.keys);
  const isEphemeral = given === undefined;
  const sealer = new Sealer(resolved, given === undefined ? ownKeys : () => given, isEphemeral);

  const mint = (payload: unknown, call: StateBinding): string =>
    sealer.seal(payloadJson(payload, maxBytes), { call, purpose: undefined }, isEncrypted);
  const open = (state: unknown, call: StateBinding): OpenedState =>
    sealer.open(state, { call, purpose: undefined }, maxBytes);
  const verify = (state: unknown, call: StateBinding): unknown => {
    if (singleUse === undefined) return open(state, call).payload;
    return Promise.resolve().then(async () => {
      const opened = open(state, call);
      await consume(opened, singleUse);
      return opened.payload;
    });
  };

  const mostOfAsk = maxBytes + RECORD_BYTES;
  const sealAsk: Openable['sealAsk'] = (payload, call, isRecorded) =>
    sealer.seal(payloadJson(payload, mostOfAsk), { call, purpose: ASK }, isEncrypted || isRecorded);
  const openAsk: Openable['openAsk'] = async (state, call) => {
    const opened = sealer.open(state, { call, purpose: ASK }, mostOfAsk);
    if (singleUse !== undefined) await consume(opened, singleUse);
    return opened.payload;
  };
  return { mint, verify, [OPENABLE]: { maxBytes, isEphemeral, verify, open, sealAsk, openAsk } };
}
