/** A JSON-RPC error on its way to the client. */
import { errorInBody } from '../core/error-in-body.ts';
import { isJsonObject } from '../core/json.ts';
import { INTERNAL_ERROR, type JsonRpcError } from '../core/json-rpc.ts';

/** Of what the other side said: it may be a whole page. */
export const LONGEST_MESSAGE = 300;

export class RpcError extends Error {
  override readonly name: string = 'RpcError';
  readonly code: number;
  readonly data: unknown;

  constructor({ code, message, data }: JsonRpcError, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
    this.data = data;
  }

  static of(error: JsonRpcError | undefined): RpcError {
    return new RpcError(error ?? { code: INTERNAL_ERROR, message: 'Internal error' });
  }
}

/** What is told to the client of `error`: a JSON-RPC error as it is, and of another one its message and its name. */
export function jsonRpcErrorOf(error: unknown): JsonRpcError {
  const { code, message, data } = (isJsonObject(error) ? error : {}) as Readonly<Record<string, unknown>>;
  const inBody = isJsonObject(data) ? errorInBody(data['text']) : undefined;
  if (inBody !== undefined) return inBody;
  const text = (typeof message === 'string' ? message : String(error)).slice(0, LONGEST_MESSAGE);
  if (Number.isSafeInteger(code))
    return { code: code as number, message: text, ...(data === undefined ? {} : { data }) };
  return { code: INTERNAL_ERROR, message: text, ...(typeof code === 'string' ? { data: { reason: code } } : {}) };
}
