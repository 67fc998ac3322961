/** Puts the questions of a modern server to the handlers that the client has for live ones. */
import type { JsonObject } from '../core/json.ts';
import {
  type JsonRpcAnswer,
  type JsonRpcNotification,
  type JsonRpcRequest,
  METHOD_NOT_FOUND,
  type RequestId,
} from '../core/json-rpc.ts';
import { RpcError } from './rpc-error.ts';

/** Hands a message to the client, as if it had come from its server. */
export type Deliver = (message: JsonRpcRequest | JsonRpcNotification | JsonRpcAnswer) => void;

export class Questions {
  readonly #deliver: Deliver;
  readonly #open = new Map<RequestId, (answer: JsonRpcAnswer) => void>();
  #count = 0;

  constructor(deliver: Deliver) {
    this.#deliver = deliver;
  }

  /** The client's answer to `method`. @throws RpcError when that is an error; it rejects when `signal` aborts. */
  async ask(method: string, params: JsonObject, signal: AbortSignal): Promise<JsonObject> {
    signal.throwIfAborted();
    this.#count += 1;
    // A text, so that SDK v1 can cancel the first one too.
    const id = `dual-era.${this.#count}`;
    let onAbort: () => void = () => undefined;
    try {
      const answer = await new Promise<JsonRpcAnswer>((resolve, reject) => {
        onAbort = () => {
          this.#deliver({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: id } });
          reject(signal.reason);
        };
        signal.addEventListener('abort', onAbort, { once: true });
        this.#open.set(id, resolve);
        this.#deliver({ jsonrpc: '2.0', id, method, params: withElicitationId(params, id) });
      });
      if (answer.error?.code === METHOD_NOT_FOUND) {
        throw new RpcError({
          code: METHOD_NOT_FOUND,
          message: `This client declared ${method}, and has no handler for it`,
        });
      }
      if (answer.result === undefined) throw RpcError.of(answer.error);
      return answer.result;
    } finally {
      signal.removeEventListener('abort', onAbort);
      this.#open.delete(id);
    }
  }

  /** Takes an answer of the client's; one to no open question is dropped. */
  take(answer: JsonRpcAnswer): void {
    this.#open.get(answer.id)?.(answer);
  }
}

// SDK v1 knows URL mode with the id of revision 2025-11-25 alone.
function withElicitationId(params: JsonObject, id: string): JsonObject {
  return params['mode'] === 'url' ? { ...params, elicitationId: id } : params;
}
