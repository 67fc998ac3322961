/**
 * The requests that handlers make of their client in mid-body, while one SDK v1 instance serves modern requests: refused,
 * or answered from what was recorded and else asked, by ending the run.
 */
import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { declaredKinds } from '../core/capabilities.ts';
import { type EmbeddedMethod, isEmbeddedMethod, kindOf } from '../core/embedded-request.ts';
import type { JsonObject } from '../core/json.ts';
import { type JsonRpcAnswer, type JsonRpcRequest, METHOD_NOT_FOUND, type RequestId } from '../core/json-rpc.ts';
import type { BridgeTransport } from './bridge-transport.ts';
import type { InstanceCalls } from './instance-calls.ts';
import { brandSuspensions, takePushCalls } from './push-calls.ts';
import type { PushOptions } from './push-options.ts';
import type { RunningCall } from './running-call.ts';
import { STOPPED, SUSPENDED, Suspension, suspendedError } from './suspension.ts';

// On the server itself: an entry of a WeakMap takes longer than all the rest that is done for a request here.
const GIVE_BACK: unique symbol = Symbol('mcp-dual-era.give-back');

interface Taken {
  /** Gives the server its own methods back. */
  [GIVE_BACK]?: () => void;
}

type Answer = Pick<JsonRpcAnswer, 'result' | 'error'>;

export class MidBodyCalls {
  readonly #protocol: Server;
  readonly #options: PushOptions;
  readonly #transport: BridgeTransport;
  readonly #calls: InstanceCalls;
  /** The requests of each run that have no answer, until the event loop turns. */
  readonly #open = new Map<RunningCall, RequestId[]>();

  /**
   * Takes the server's own methods over: for good, since its runs may go on and ask when it has closed, or until another
   * instance has it, which is what a factory does that hands a server out again.
   */
  constructor(
    protocol: Server,
    options: PushOptions,
    { transport, calls }: { readonly transport: BridgeTransport; readonly calls: InstanceCalls },
  ) {
    this.#protocol = protocol;
    this.#options = options;
    this.#transport = transport;
    this.#calls = calls;
    const taken = protocol as Server & Taken;
    taken[GIVE_BACK]?.();
    const giveBack = takePushCalls(protocol, (...call) => this.#take(...call));
    const unbrand = options.calls === 'replay' ? brandSuspensions(protocol, options.suspend === 'pending') : undefined;
    taken[GIVE_BACK] = () => {
      giveBack();
      unbrand?.();
    };
  }

  /** What SDK v1's own request is answered with; undefined where it is open, and its run ends in a moment. */
  answerTo({ id, method, params = {} }: JsonRpcRequest, relatedTo: RequestId | undefined): Answer | undefined {
    // A server that pings asks whether somebody is there, which a request in flight says.
    if (method === 'ping') return { result: {} };
    const call = this.#calls.of(relatedTo);
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

  #ledgerOf(call: RunningCall | undefined): RunningCall['ledger'] {
    return this.#options.calls === 'replay' ? call?.ledger : undefined;
  }

  /** A push call before SDK v1 looks at it: one that must not be made at all, or would fail for what was not declared. */
  #take(method: EmbeddedMethod, params: JsonObject, relatedTo: RequestId | undefined): Promise<never> | undefined {
    // Connected elsewhere by now, its push calls are none of this instance's business.
    const { transport } = this.#protocol;
    if (transport !== undefined && transport !== this.#transport) return undefined;
    const call = this.#calls.of(relatedTo);
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
    if (call !== undefined) this.#calls.cancel(call, error);
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
    this.#calls.addSuspended(call);
    call.suspension = new Suspension({
      clock,
      isRejected: suspend === 'reject',
      onContinued: () => onContinued(call.request),
      abort: () => this.#calls.abort(call),
      onOver: () => this.#calls.releaseSuspended(call),
    });
    call.once?.close(() => this.#block(call));
    call.answer({ jsonrpc: '2.0', id: call.id, result: call.ledger?.suspend() ?? {} });
    for (const id of ids) this.#transport.deliver({ jsonrpc: '2.0', id, error: SUSPENDED });
  }
}

async function rejectWhenSuspended(call: RunningCall): Promise<never> {
  if (!call.isOver) await call.answered;
  throw suspendedError();
}
