/** The calls of one SDK v1 instance: those it is working on, and those that ended with a question, until their runs end. */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { MessageExtraInfo } from '@modelcontextprotocol/sdk/types.js';
import type { JsonRpcAnswer, JsonRpcRequest, RequestId } from '../core/json-rpc.ts';
import type { BridgeTransport } from './bridge-transport.ts';
import type { SeenClient } from './client-of-run.ts';
import type { RunningCall } from './running-call.ts';

export class InstanceCalls {
  readonly #transport: BridgeTransport;
  readonly #running = new Map<RequestId, RunningCall>();
  readonly #suspended = new Map<RequestId, RunningCall>();
  /** Which call a run serves, where the instance has several at once. */
  readonly #current: AsyncLocalStorage<RunningCall> | undefined;
  /** Where it has one alone, that one: also when it is over, for what its run may still send. */
  #only: RunningCall | undefined;

  /** @param isShared - whether several calls are served at once. */
  constructor(transport: BridgeTransport, isShared: boolean) {
    this.#transport = transport;
    this.#current = isShared ? new AsyncLocalStorage() : undefined;
  }

  has(id: RequestId): boolean {
    return this.#running.has(id) || this.#suspended.has(id);
  }

  /** The call that a message belongs to: the one it names, or the one whose run sent it. */
  of(relatedTo: RequestId | undefined): RunningCall | undefined {
    const current = this.#current?.getStore();
    // By the run itself where that is known: its id may be another one's by now.
    if (current !== undefined) return current;
    if (relatedTo === undefined) return this.#only;
    return this.#running.get(relatedTo) ?? this.#suspended.get(relatedTo);
  }

  /** Whom the run serves in which this is called. */
  get client(): SeenClient | undefined {
    return this.#current?.getStore()?.client;
  }

  /** Hands `message` to SDK v1, which works on `call` with it from now on. */
  begin(call: RunningCall, message: JsonRpcRequest, extra: MessageExtraInfo): void {
    if (this.#current === undefined) this.#transport.deliver(message, extra);
    else this.#current.run(call, () => this.#transport.deliver(message, extra));
  }

  add(call: RunningCall): void {
    this.#running.set(call.id, call);
    if (this.#current === undefined) this.#only = call;
  }

  delete({ id }: RunningCall): void {
    this.#running.delete(id);
  }

  /** Takes SDK v1's answer. */
  answer(answer: JsonRpcAnswer): void {
    this.#suspended.get(answer.id)?.suspension?.noteAnswer(answer);
    this.#running.get(answer.id)?.answer(answer);
  }

  addSuspended(call: RunningCall): void {
    this.#suspended.set(call.id, call);
  }

  /** The run of `call` can no longer be seen to end. */
  releaseSuspended({ id }: RunningCall): void {
    // Where no run can be told by what it sends, the last one is kept to be told.
    if (this.#current !== undefined) this.#suspended.delete(id);
  }

  /** Ends `call` without an answer, and aborts the signal of its run. */
  cancel(call: RunningCall, reason: Error): void {
    if (call.isOver) return;
    call.end(reason);
    this.abort(call);
  }

  /** Has the signal of a run abort. */
  abort({ id }: RunningCall): void {
    this.#transport.deliver({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: id } });
  }

  /** Ends all that run. */
  cancelAll(reason: string): void {
    for (const call of this.#running.values()) this.cancel(call, new Error(reason));
  }

  /** Settles when no run is left that is about to end. */
  async suspendedEnded(): Promise<void> {
    for (const { suspension } of [...this.#suspended.values()]) await suspension?.over;
  }
}
