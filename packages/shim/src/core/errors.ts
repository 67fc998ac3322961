/** Local failures: thrown at the author of a server, never sent over the wire. */

/** What a {@link DualEraError} can say. Each has a heading in docs/errors.md. */
export type DualEraErrorCode =
  | 'ALREADY_CONNECTED'
  | 'ALREADY_WRAPPED'
  | 'ARGUMENTS_CHANGED'
  | 'BODY_READ'
  | 'CALL_ENDED'
  | 'CONNECT_FAILED'
  | 'EPHEMERAL_KEY'
  | 'MISSING_PEER'
  | 'NOT_A_SERVER'
  | 'NOT_CONNECTED'
  | 'NOT_HANDSHAKE'
  | 'NOT_MODERN'
  | 'NO_MIDDLEWARE'
  | 'SUSPENDED'
  | 'UNAUTHORIZED';

const BRAND: symbol = Symbol.for('mcp-dual-era.error.1');

/**
 * An error of this package. `code` is its interface; the wording may change.
 *
 * @example
 * if (DualEraError.isInstance(error) && error.code === 'ALREADY_CONNECTED') ...
 */
export class DualEraError extends Error {
  override readonly name: string = 'DualEraError';
  readonly code: DualEraErrorCode;

  constructor(code: DualEraErrorCode, message: string, options?: { readonly cause?: unknown }) {
    super(message, options);
    this.code = code;
    Object.defineProperty(this, BRAND, { value: true });
  }

  /** Tells whether `value` is one, also across the ESM and the CJS build, where `instanceof` fails. */
  static isInstance(value: unknown): value is DualEraError {
    return typeof value === 'object' && value !== null && Object.hasOwn(value, BRAND);
  }
}

/** What was thrown, as an error. */
export function asError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}
