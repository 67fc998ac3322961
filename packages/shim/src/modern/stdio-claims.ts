/** Which revision a message on stdio claims, and whether that is served: every message is looked at, not the first alone. */
import type { JsonObject } from '../core/json.ts';
import { type JsonRpcError, type JsonRpcRequest, METHOD_NOT_FOUND, UNSUPPORTED_VERSION } from '../core/json-rpc.ts';
import { type Era, MODERN_REVISION } from '../core/revision.ts';
import { claimOf } from './inbound.ts';

const SUPPORTED: readonly string[] = [MODERN_REVISION];

/** Whether `params` claim a revision that is not served. A claim that is no text is left to the engine. */
export function isForeign(params: JsonObject | undefined, eras: 'both' | Era): boolean {
  const claim = claimOf(params);
  if (claim === undefined) return false;
  return eras === 'handshake' || (typeof claim === 'string' && !SUPPORTED.includes(claim));
}

/** The error for a request that claims what is not served; `initialize` opens a handshake whatever it claims. */
export function foreignClaim({ method, params }: JsonRpcRequest, eras: 'both' | Era): JsonRpcError | undefined {
  if (method === 'initialize' || !isForeign(params, eras)) return undefined;
  if (eras === 'handshake') {
    const message = 'This server speaks revisions up to 2025-11-25 here: send initialize first';
    return { code: METHOD_NOT_FOUND, message };
  }
  const requested = claimOf(params);
  const message = `Unsupported protocol version: ${requested}`;
  return { code: UNSUPPORTED_VERSION, message, data: { supported: SUPPORTED, requested } };
}
