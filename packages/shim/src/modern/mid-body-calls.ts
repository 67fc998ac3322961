/**
 * The requests that handlers make of their client in mid-body, while one SDK v1 instance serves modern requests: refused,
 * or answered from what was recorded and else asked, by ending the run.
 */
import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { declaredKinds } from '../core/capabilities.ts';
import { type EmbeddedMethod, isEmbeddedMethod, kindOf } from '../core/embedded-request.ts';
import type { JsonObject } from '../core/json.ts';
import {
  type JsonRpcAnswer,
  type JsonRpcError,
  type JsonRpcRequest,
  METHOD_NOT_FOUND,
  type RequestId,
} from '../core/json-rpc.ts';
import type { Clock } from '../core/options.ts';
import type { ModernRequest } from './modern-request.ts';
import { brandSuspensions, takePushCalls } from './push-calls.ts';
import type { RunningCall } from './running-call.ts';
import { STOPPED, SUSPENDED, Suspension, suspendedError } from './suspension.ts';

export interface PushOptions {
  readonly calls: 'reject' | 'replay';
  readonly suspend: 'reject' | 'pending';
  readonly clock: Clock;
  /** The run of `request` asked what no modern client can be asked: the error that ends it. */
  readonly onRefused: (method: string, request: ModernRequest | undefined) => Error;
  /** A run went on after it had been suspended. */
  readonly onContinued: (request: ModernRequest) => void;
}

/** What is done to the calls of the instance. */
export interface CallControl {
  /** The call that a message belongs to: the one it names, or the one whose run sent it. */
  readonly callOf: (relatedTo: RequestId | undefined) => RunningCall | undefined;
  /** Answers a request of SDK v1's with an error. */
  readonly fail: (id: RequestId, error: JsonRpcError) => void;
  readonly end: (call: RunningCall, reason: Error) => void;
  /** Has the signal of a run abort. */
  readonly abort: (call: RunningCall) => void;
  /** Whether the server is connected elsewhere by now, where its push calls are none of this instance's business. */
  readonly isElsewhere: () => boolean;
  /** Whether a run can be told by what it sends, also after its end; else one that has ended is kept to be told. */
  readonly tellsRuns: boolean;
}

type Answer = Pick<JsonRpcAnswer, 'result' | 'error'>;

export class MidBodyCalls {
  readonly #options: PushOptions;
  readonly #control: CallControl;
  /** The requests of each run that have no answer, until the event loop turns. */
  readonly #open = new Map<RunningCall, RequestId[]>();
  /** Calls that have ended with an open question, until their runs have had the chance to end. */
  readonly #suspended = new Map<RequestId, RunningCall>();
  readonly #restores: (() => void)[];

  constructor(protocol: Server, options: PushOptions, control: CallControl) {
    this.#options = options;
    this.#control = control;
    this.#restores = [takePushCalls(protocol, (...call) => this.#take(...call))];
    if (options.calls === 'replay') this.#restores.push(brandSuspensions(protocol, options.suspend === 'pending'));
  }

  /** The suspended call `id`, or any. */
  suspended(id?: RequestId): RunningCall | undefined {
    if (id !== undefined) return this.#suspended.get(id);
    const [any] = this.#suspended.values();
    return any;
  }

  has(id: RequestId): boolean {
    return this.#suspended.has(id);
  }

  /** What SDK v1's own request is answered with; undefined where it is open, and its run ends in a moment. */
  answerTo(
    { id, method, params = {} }: Pick<JsonRpcRequest, 'id' | 'method'> & { readonly params: JsonObject | undefined },
    relatedTo: RequestId | undefined,
  ): Answer | undefined {
    // A server that pings asks whether somebody is there, which a request in flight says.
    if (method === 'ping') return { result: {} };
    const call = this.#control.callOf(relatedTo);
    const ledger = this.#ledgerOf(call);
    if (call === undefined || ledger === undefined || !isEmbeddedMethod(method)) {
      return { error: { code: METHOD_NOT_FOUND, message: this.#refuse(method, call).message } };
    }
    if (call.isOver) return { error: call.suspension?.noteAct() === true ? SUSPENDED : STOPPED };
    const answer = ledger.take(method, params);
    if (answer !== undefined) return { result: answer };
    this.#suspendSoon(call).push(id);
    return undefined;
  }

  noteAnswer(answer: JsonRpcAnswer): void {
    this.#suspended.get(answer.id)?.suspension?.noteAnswer(answer);
  }

  /** Settles when no run is left that is about to end. */
  async close(): Promise<void> {
    for (const { suspension } of [...this.#suspended.values()]) await suspension?.over;
  }

  /** Gives the server its own methods back: not when it closes, since its runs may go on and ask. */
  restore(): void {
    for (const restore of this.#restores) restore();
  }

  #ledgerOf(call: RunningCall | undefined): RunningCall['ledger'] {
    return this.#options.calls === 'replay' ? call?.ledger : undefined;
  }

  /** A push call before SDK v1 looks at it: one that must not be made at all, or would fail for what was not declared. */
  #take(method: EmbeddedMethod, params: JsonObject, relatedTo: RequestId | undefined): Promise<never> | undefined {
    if (this.#control.isElsewhere()) return undefined;
    const call = this.#control.callOf(relatedTo);
    const ledger = this.#ledgerOf(call);
    if (call === undefined || ledger === undefined) return Promise.reject(this.#refuse(method, call));
    if (call.isOver) return this.#block(call);
    if (declaredKinds(call.request.client.capabilities).has(kindOf(method, params))) return undefined;
    ledger.take(method, params);
    this.#suspendSoon(call);
    return this.#options.suspend === 'pending' ? new Promise(() => undefined) : rejectWhenSuspended(call);
  }

  /**
   * What a run gets for whatever it begins after it has been suspended: the error once more, and after that nothing, so
   * that a handler which tries for ever does not keep the process from everything else.
   */
  #block(call: RunningCall): Promise<never> {
    const isFirst = call.suspension?.noteAct() === true;
    if (this.#options.suspend === 'pending' || !isFirst) return new Promise(() => undefined);
    return Promise.reject(suspendedError());
  }

  #refuse(method: string, call: RunningCall | undefined): Error {
    const error = this.#options.onRefused(method, call?.request);
    if (call !== undefined) this.#control.end(call, error);
    return error;
  }

  /** The open requests of `call`, which ends with all those that are made before the event loop turns. */
  #suspendSoon(call: RunningCall): RequestId[] {
    const known = this.#open.get(call);
    if (known !== undefined) return known;
    const ids: RequestId[] = [];
    this.#open.set(call, ids);
    this.#options.clock.setImmediate(() => {
      this.#open.delete(call);
      if (!call.isOver) this.#suspend(call, ids);
    });
    return ids;
  }

  #suspend(call: RunningCall, ids: readonly RequestId[]): void {
    const { clock, suspend, onContinued } = this.#options;
    this.#suspended.set(call.id, call);
    call.suspension = new Suspension({
      clock,
      isRejected: suspend === 'reject',
      onContinued: () => onContinued(call.request),
      abort: () => this.#control.abort(call),
      onOver: () => {
        if (this.#control.tellsRuns) this.#suspended.delete(call.id);
      },
    });
    call.once?.close(() => this.#block(call));
    call.answer({ jsonrpc: '2.0', id: call.id, result: call.ledger?.suspend() ?? {} });
    for (const id of ids) this.#control.fail(id, SUSPENDED);
  }
}

async function rejectWhenSuspended(call: RunningCall): Promise<never> {
  if (!call.isOver) await call.answered;
  throw suspendedError();
}
