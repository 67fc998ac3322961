/** What is thrown where a server cannot be reached, or is not what it was to be. */
import { DualEraError } from '../core/errors.ts';
import { isJsonObject } from '../core/json.ts';
import { UNSUPPORTED_VERSION } from '../core/json-rpc.ts';
import { HandshakeServer } from './engine-transports.ts';
import { LONGEST_MESSAGE } from './rpc-error.ts';

/** How the connection was to be made. */
export interface Attempt {
  readonly mode: 'auto' | 'modern' | 'handshake';
  readonly isCommand: boolean;
  readonly probeTimeout: number;
}

/** `error` of the engine or of a transport, in words that say what to do. */
export function connectError(error: unknown, attempt: Attempt): DualEraError {
  if (error instanceof DualEraError) return error;
  if (attempt.mode === 'modern' && saysNotModern(error, attempt)) {
    const message = "The server does not speak revision 2026-07-28. Connect with mode: 'auto' or 'handshake'.";
    return new DualEraError('NOT_MODERN', message, { cause: error });
  }
  if (attempt.mode === 'handshake' && saysNotHandshake(error)) {
    const message = "The server speaks revision 2026-07-28 alone. Connect with mode: 'auto' or 'modern'.";
    return new DualEraError('NOT_HANDSHAKE', message, { cause: error });
  }
  const said = messageOf(error).slice(0, LONGEST_MESSAGE);
  if (isUnauthorized(error)) {
    const cure =
      statusOf(error) === 403
        ? 'Look at the token (authProvider, requestInit.headers), and at the names that the server answers to.'
        : 'Give an authProvider, or a token in requestInit.headers.';
    return new DualEraError('UNAUTHORIZED', `The server denied access (${said}). ${cure}`, { cause: error });
  }
  const limit = /timed? ?out/i.test(said) ? ` It had ${attempt.probeTimeout} ms (probeTimeout).` : '';
  const message = `The server could not be reached (${said}).${limit} See the cause; nothing was learned of its era.`;
  return new DualEraError('CONNECT_FAILED', message, { cause: error });
}

/** Whether the engine ended its probe without an answer that tells the era. */
export function isUndecided(error: unknown): boolean {
  return codeOf(error) === 'ERA_NEGOTIATION_FAILED';
}

/** A server that answered, and offered nothing modern: what went wrong on the way to it has a cause or a status. */
function saysNotModern(error: unknown, { isCommand }: Attempt): boolean {
  if (error instanceof HandshakeServer || codeOf(error) === UNSUPPORTED_VERSION) return true;
  if (!isUndecided(error) || !(error instanceof Error) || error.cause !== undefined) return false;
  // A command that ends when it is asked has answered in its way.
  return statusOf(error) === undefined && (isCommand || !error.message.includes('closed'));
}

function saysNotHandshake(error: unknown): boolean {
  // Over HTTP the answer is the body of a 400, which the transport puts into its message.
  return codeOf(error) === UNSUPPORTED_VERSION || messageOf(error).includes(`"code":${UNSUPPORTED_VERSION}`);
}

function isUnauthorized(error: unknown): boolean {
  const status = statusOf(error);
  return status === 401 || status === 403 || (isJsonObject(error) && error['name'] === 'UnauthorizedError');
}

function codeOf(error: unknown): unknown {
  return isJsonObject(error) ? error['code'] : undefined;
}

function statusOf(error: unknown): unknown {
  if (!isJsonObject(error)) return undefined;
  return error['status'] ?? (isJsonObject(error['data']) ? error['data']['status'] : undefined);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
