/** Keys: what is given is checked and copied, and never used itself; each purpose has a key of its own by HKDF. */
import { createSecretKey, hkdfSync, type KeyObject, randomBytes } from 'node:crypto';
import { describeValue } from '../core/json.ts';

const SHORTEST = 32;
const ID_BYTES = 8;

export interface StateKey {
  /** Eight bytes that name the key and tell nothing of it. */
  readonly id: string;
  readonly seal: KeyObject;
  readonly encrypt: KeyObject;
  readonly bind: KeyObject;
}

/** A key for `createRequestStateCodec`: 32 random bytes as base64url. Keep it as the secret it is. */
export function generateRequestStateKey(): string {
  return randomBytes(SHORTEST).toString('base64url');
}

/**
 * The keys that `given` stands for; undefined when it stands for none.
 *
 * @throws TypeError when it is neither text nor bytes, RangeError when one has less than 32 bytes or the list is empty.
 */
export function readKeys(given: unknown): readonly StateKey[] | undefined {
  if (given === undefined) return undefined;
  const list: readonly unknown[] = Array.isArray(given) ? given : [given];
  if (list.length === 0) throw new RangeError('keys must hold at least one key, got an empty list');
  return list.map((key, index) => deriveKey(readKey(key, Array.isArray(given) ? `keys[${index}]` : 'keys')));
}

function readKey(key: unknown, name: string): Buffer {
  if (typeof key !== 'string' && !(key instanceof Uint8Array)) {
    throw new TypeError(`${name} must be a string or a Uint8Array, got ${describeKey(key)}`);
  }
  const bytes = Buffer.from(key as string);
  if (bytes.length < SHORTEST) {
    throw new RangeError(`${name} must have at least ${SHORTEST} bytes, got ${bytes.length}`);
  }
  return bytes;
}

// Whatever was given in place of a key may hold one.
function describeKey(key: unknown): string {
  return typeof key === 'object' || key === undefined ? describeValue(key) : `a ${typeof key}`;
}

export function deriveKey(secret: Uint8Array): StateKey {
  const derive = (purpose: string, bytes: number): Buffer =>
    Buffer.from(hkdfSync('sha256', secret, '', `mcp-dual-era/request-state/v1/${purpose}`, bytes));
  return {
    id: derive('id', ID_BYTES).toString('latin1'),
    seal: createSecretKey(derive('seal', 32)),
    encrypt: createSecretKey(derive('encrypt', 32)),
    bind: createSecretKey(derive('bind', 32)),
  };
}
