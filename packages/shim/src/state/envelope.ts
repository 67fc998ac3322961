/**
 * The outside of a state: `v1.` and base64url of key id (8 bytes), form (1), body and tag.
 *
 * Sealed: the body is the text as it is, the tag HMAC-SHA256. Encrypted: the body is a nonce (12) and the text under
 * AES-256-GCM, the tag GCM's own. Either tag covers everything before it, the version included, and is checked before
 * anything of the body is looked at.
 */
import { createCipheriv, createDecipheriv, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { StateKey } from './keys.ts';
import { RequestStateError } from './request-state-error.ts';

const VERSION = 'v1.';
const VERSION_BYTES: Buffer = Buffer.from(VERSION, 'latin1');
const HEAD_BYTES = 9;
const NONCE_BYTES = 12;
const HMAC_BYTES = 32;
const GCM_BYTES = 16;
const ENCRYPTED = 1;
const EPHEMERAL = 2;

/** How a state is sealed, told in its head. */
export interface SealForm {
  readonly isEncrypted: boolean;
  /** Sealed by a key that no other process has. */
  readonly isEphemeral: boolean;
}

export function seal(text: string, key: StateKey, { isEncrypted, isEphemeral }: SealForm): string {
  const form = (isEncrypted ? ENCRYPTED : 0) + (isEphemeral ? EPHEMERAL : 0);
  const head = Buffer.from(`${key.id}${String.fromCharCode(form)}`, 'latin1');
  const body = Buffer.from(text, 'utf8');
  const sealed = isEncrypted ? encrypt(head, body, key) : [head, body, hmacOf([head, body], key)];
  return VERSION + Buffer.concat(sealed).toString('base64url');
}

/**
 * The text that `state` seals, and the key that it was sealed with.
 *
 * @param longest - no longer text is looked at.
 * @throws RequestStateError for anything that a key of `keys` did not seal.
 */
export function open(state: unknown, keys: readonly StateKey[], longest: number): [text: string, key: StateKey] {
  if (typeof state !== 'string' || !state.startsWith(VERSION) || state.length > longest) {
    throw new RequestStateError('malformed');
  }
  const encoded = state.slice(VERSION.length);
  const bytes = Buffer.from(encoded, 'base64url');
  // One state, one text: node's decoder passes over what does not belong there.
  if (bytes.length < HEAD_BYTES || bytes.toString('base64url') !== encoded) throw new RequestStateError('malformed');
  const form = bytes[HEAD_BYTES - 1] ?? 0;
  if (form > ENCRYPTED + EPHEMERAL) throw new RequestStateError('malformed');
  const id = bytes.toString('latin1', 0, HEAD_BYTES - 1);
  const key = keys.find((candidate) => candidate.id === id);
  if (key === undefined) throw new RequestStateError(form >= EPHEMERAL ? 'other-ephemeral-key' : 'unknown-key');
  const text = form % 2 === ENCRYPTED ? decrypt(bytes, key) : unseal(bytes, key);
  return [text.toString('utf8'), key];
}

function hmacOf(parts: readonly Buffer[], key: StateKey): Buffer {
  const hmac = createHmac('sha256', key.seal).update(VERSION_BYTES);
  for (const part of parts) hmac.update(part);
  return hmac.digest();
}

function unseal(bytes: Buffer, key: StateKey): Buffer {
  const end = bytes.length - HMAC_BYTES;
  if (end < HEAD_BYTES) throw new RequestStateError('malformed');
  const isSealed = timingSafeEqual(bytes.subarray(end), hmacOf([bytes.subarray(0, end)], key));
  if (!isSealed) throw new RequestStateError('bad-seal');
  return bytes.subarray(HEAD_BYTES, end);
}

function encrypt(head: Buffer, body: Buffer, key: StateKey): Buffer[] {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key.encrypt, nonce);
  cipher.setAAD(Buffer.concat([VERSION_BYTES, head]));
  const hidden = cipher.update(body);
  cipher.final();
  return [head, nonce, hidden, cipher.getAuthTag()];
}

function decrypt(bytes: Buffer, key: StateKey): Buffer {
  const start = HEAD_BYTES + NONCE_BYTES;
  const end = bytes.length - GCM_BYTES;
  if (end < start) throw new RequestStateError('malformed');
  const nonce = bytes.subarray(HEAD_BYTES, start);
  const decipher = createDecipheriv('aes-256-gcm', key.encrypt, nonce, { authTagLength: GCM_BYTES });
  decipher.setAAD(Buffer.concat([VERSION_BYTES, bytes.subarray(0, HEAD_BYTES)]));
  decipher.setAuthTag(bytes.subarray(end));
  const text = decipher.update(bytes.subarray(start, end));
  try {
    decipher.final();
  } catch {
    throw new RequestStateError('bad-seal');
  }
  return text;
}
