/** The options of a codec, resolved once and loudly. */
import { boolean, callback, integer, knownOptions, object, wrongSecret, wrongType } from '../core/option-checks.ts';
import type { BindState, RequestStateCodecOptions, SingleUseStore } from '../core/request-state.ts';
import { defaultBinding } from './binding.ts';

const OPTIONS = [
  'keys',
  'ttlSeconds',
  'bind',
  'subject',
  'audience',
  'encrypt',
  'singleUse',
  'maxBytes',
  'allowEphemeralKey',
  'ports',
];

export interface ResolvedCodecOptions {
  /** In milliseconds. */
  readonly ttl: number;
  readonly bind: BindState;
  readonly audience: string | undefined;
  readonly isEncrypted: boolean;
  readonly singleUse: SingleUseStore | undefined;
  readonly maxBytes: number;
  readonly now: () => number;
}

/**
 * Checks `options`, the keys aside, and fills in the defaults.
 *
 * @throws TypeError when a value has the wrong type, RangeError when it is out of bounds; the message ends `, got X`.
 */
export function readCodecOptions(options: RequestStateCodecOptions): ResolvedCodecOptions {
  object('options', options);
  knownOptions('options', options, OPTIONS);
  const { ttlSeconds = 600, maxBytes = 65_536, encrypt = false, allowEphemeralKey = false } = options;
  const { audience, singleUse, subject } = options;
  if (typeof ttlSeconds !== 'number') throw wrongType('ttlSeconds', 'a number', ttlSeconds);
  if (!Number.isFinite(ttlSeconds) || ttlSeconds < 1) {
    throw new RangeError(`ttlSeconds must be a finite number >= 1, got ${ttlSeconds}`);
  }
  const isEncrypted = boolean('encrypt', encrypt);
  boolean('allowEphemeralKey', allowEphemeralKey);
  if (audience !== undefined && typeof audience !== 'string') throw wrongType('audience', 'a string', audience);
  if (singleUse !== undefined && typeof singleUse?.consume !== 'function') {
    throw wrongSecret('singleUse', 'a store with consume(id, expiresAt)', singleUse);
  }
  callback('subject', subject);
  return {
    ttl: ttlSeconds * 1_000,
    bind: callback('bind', options.bind) ?? ((call) => defaultBinding(call, subject)),
    audience,
    isEncrypted,
    singleUse,
    maxBytes: integer('maxBytes', maxBytes),
    now: options.ports?.now ?? Date.now,
  };
}
