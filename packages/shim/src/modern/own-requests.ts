/** The requests that the bridge makes of an SDK v1 instance itself: to introduce a client, to look something up. */
import type { JsonObject } from '../core/json.ts';
import type { JsonRpcAnswer, JsonRpcRequest, RequestId } from '../core/json-rpc.ts';

export class OwnRequests {
  readonly #deliver: (request: JsonRpcRequest) => void;
  readonly #open = new Map<RequestId, (answer: JsonRpcAnswer) => void>();
  #count = 0;
  #isClosed = false;

  constructor(deliver: (request: JsonRpcRequest) => void) {
    this.#deliver = deliver;
  }

  has(id: RequestId): boolean {
    return this.#open.has(id);
  }

  /** An id that no request of the bridge's has had. */
  nextId(): string {
    this.#count += 1;
    return `mcp-dual-era.${this.#count}`;
  }

  /** @throws Error when the server answers with one, or when it is closed first. */
  async ask(method: string, params: JsonObject): Promise<JsonObject> {
    if (this.#isClosed) throw new Error(`${method}: the connection is closed`);
    const id = this.nextId();
    const answer = await new Promise<JsonRpcAnswer>((resolve) => {
      this.#open.set(id, resolve);
      this.#deliver({ jsonrpc: '2.0', id, method, params });
    });
    this.#open.delete(id);
    if (answer.result === undefined) throw new Error(`${method}: ${answer.error?.message}`);
    return answer.result;
  }

  /** Takes SDK v1's answer; false when it belongs to none of these. */
  take(answer: JsonRpcAnswer): boolean {
    const settle = this.#open.get(answer.id);
    settle?.(answer);
    return settle !== undefined;
  }

  close(): void {
    this.#isClosed = true;
    for (const settle of this.#open.values()) settle(CLOSED);
    this.#open.clear();
  }
}

const CLOSED: JsonRpcAnswer = { jsonrpc: '2.0', id: '', error: { code: -32000, message: 'Connection closed' } };
