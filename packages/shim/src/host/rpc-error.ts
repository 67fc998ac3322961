/** A JSON-RPC error on its way to the client. */
import { isJsonObject } from '../core/json.ts';
import { INTERNAL_ERROR, type JsonRpcError } from '../core/json-rpc.ts';

export class RpcError extends Error {
  override readonly name: string = 'RpcError';
  readonly code: number;
  readonly data: unknown;

  constructor({ code, message, data }: JsonRpcError) {
    super(message);
    this.code = code;
    this.data = data;
  }

  static of(error: JsonRpcError | undefined): RpcError {
    return new RpcError(error ?? { code: INTERNAL_ERROR, message: 'Internal error' });
  }
}

/** What is told to the client of `error`: a JSON-RPC error as it is, and of another one its message and its name. */
export function jsonRpcErrorOf(error: unknown): JsonRpcError {
  const { code, message, data } = (isJsonObject(error) ? error : {}) as Partial<
    Record<'code' | 'message' | 'data', unknown>
  >;
  const text = typeof message === 'string' ? message : String(error);
  if (Number.isSafeInteger(code))
    return { code: code as number, message: text, ...(data === undefined ? {} : { data }) };
  return { code: INTERNAL_ERROR, message: text, ...(typeof code === 'string' ? { data: { reason: code } } : {}) };
}
