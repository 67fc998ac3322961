/** What is thrown where a server cannot be reached, or is not what it was to be. */
import { DualEraError } from '../core/errors.ts';
import { isJsonObject } from '../core/json.ts';
import { HandshakeServer } from './target.ts';

const UNSUPPORTED_VERSION = -32022;

/** `error` of the engine or of a transport, in words that say what to do. */
export function connectError(error: unknown): DualEraError {
  if (error instanceof DualEraError) return error;
  if (saysNotModern(error)) {
    const message = "The server does not speak revision 2026-07-28. Connect with mode: 'auto' or 'handshake'.";
    return new DualEraError('NOT_MODERN', message, { cause: error });
  }
  if (saysNotHandshake(error)) {
    const message = "The server speaks revision 2026-07-28 alone. Connect with mode: 'auto' or 'modern'.";
    return new DualEraError('NOT_HANDSHAKE', message, { cause: error });
  }
  const said = messageOf(error);
  if (isUnauthorized(error)) {
    const message = `The server wants authorization (${said}). Give an authProvider, or a token in requestInit.headers.`;
    return new DualEraError('UNAUTHORIZED', message, { cause: error });
  }
  const message = `The server could not be reached (${said}). See the cause; nothing was learned of its era.`;
  return new DualEraError('CONNECT_FAILED', message, { cause: error });
}

/** Whether the engine ended its probe without an answer that tells the era. */
export function isUndecided(error: unknown): boolean {
  return isJsonObject(error) && error['code'] === 'ERA_NEGOTIATION_FAILED';
}

/** A server that answered, and offered nothing modern: what went wrong on the way to it has a cause or a status. */
function saysNotModern(error: unknown): boolean {
  if (error instanceof HandshakeServer) return true;
  if (!isUndecided(error) || !(error instanceof Error) || error.cause !== undefined) return false;
  return statusOf(error) === undefined && !error.message.includes('closed');
}

function saysNotHandshake(error: unknown): boolean {
  const code = isJsonObject(error) ? error['code'] : undefined;
  // Over HTTP the answer is the body of a 400, which the transport puts into its message.
  return code === UNSUPPORTED_VERSION || messageOf(error).includes(`"code":${UNSUPPORTED_VERSION}`);
}

function isUnauthorized(error: unknown): boolean {
  const status = statusOf(error);
  return status === 401 || status === 403 || (isJsonObject(error) && error['name'] === 'UnauthorizedError');
}

function statusOf(error: unknown): unknown {
  if (!isJsonObject(error)) return undefined;
  return error['status'] ?? (isJsonObject(error['data']) ? error['data']['status'] : undefined);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
