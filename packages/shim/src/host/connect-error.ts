/** What is thrown where a server cannot be reached, or is not what it was to be. */
import { DualEraError } from '../core/errors.ts';
import { isJsonObject } from '../core/json.ts';
import { HandshakeServer } from './target.ts';

/** `error` of the engine, in words that say what to do. */
export function connectError(error: unknown, mode: 'auto' | 'modern' | 'handshake'): DualEraError {
  const code = isJsonObject(error) ? error['code'] : undefined;
  if (error instanceof HandshakeServer || (mode === 'modern' && code === 'ERA_NEGOTIATION_FAILED')) {
    const message = "The server does not speak revision 2026-07-28. Connect with mode: 'auto' or 'handshake'.";
    return new DualEraError('NOT_MODERN', message, { cause: error });
  }
  const said = error instanceof Error ? error.message : String(error);
  if (isUnauthorized(error)) {
    const message = `The server wants authorization (${said}). Give an authProvider, or a token in requestInit.headers.`;
    return new DualEraError('UNAUTHORIZED', message, { cause: error });
  }
  const message = `The server could not be reached (${said}). See the cause; nothing was learned of its era.`;
  return new DualEraError('CONNECT_FAILED', message, { cause: error });
}

function isUnauthorized(error: unknown): boolean {
  if (!isJsonObject(error)) return false;
  const status = error['status'] ?? (isJsonObject(error['data']) ? error['data']['status'] : undefined);
  return status === 401 || status === 403 || error['name'] === 'UnauthorizedError';
}
