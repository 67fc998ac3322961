/**
 * The requests that handlers make of their client in mid-body, while one SDK v1 instance serves modern requests: refused,
 * or answered from what was recorded and else asked, by ending the run.
 */
import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { declaredKinds } from '../core/capabilities.ts';
import { type EmbeddedMethod, isEmbeddedMethod, kindOf } from '../core/embedded-request.ts';
import type { JsonObject } from '../core/json.ts';
import { type JsonRpcAnswer, type JsonRpcRequest, METHOD_NOT_FOUND, type RequestId } from '../core/json-rpc.ts';
import { callEnded } from '../handshake/call-ended.ts';
import type { BridgeTransport } from './bridge-transport.ts';
import type { InstanceCalls } from './instance-calls.ts';
import { takePushCalls, takeRequests } from './push-calls.ts';
import type { PushOptions } from './push-options.ts';
import type { RunningCall } from './running-call.ts';
import { isUnanswered, Suspension, suspendedError, UNANSWERED } from './suspension.ts';

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
    const giveRequestBack =
      options.calls === 'replay' ? takeRequests(protocol, (...request) => this.#make(...request)) : undefined;
    taken[GIVE_BACK] = () => {
      giveBack();
      giveRequestBack?.();
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
    // Where its author has replaced SDK v1's `request`, nothing has kept it from coming here.
    if (call.isOver) return { error: UNANSWERED };
    const answer = ledger.take(method, params);
    if (answer !== undefined) return { result: answer };
    this.#suspendSoon(call).push(id);
    return undefined;
  }

  #ledgerOf(call: RunningCall | undefined): RunningCall['ledger'] {
    return this.#options.calls === 'replay' ? call?.ledger : undefined;
  }

  /** Whether the server is connected elsewhere by now, where its requests are none of this instance's business. */
  get #isElsewhere(): boolean {
    const { transport } = this.#protocol;
    return transport !== undefined && transport !== this.#transport;
  }

  /** A push call before SDK v1 looks at it: one that must not be made at all, or would fail for what was not declared. */
  #take(method: EmbeddedMethod, params: JsonObject, relatedTo: RequestId | undefined): Promise<never> | undefined {
    if (this.#isElsewhere) return undefined;
    const over = this.#whenOver(method, relatedTo);
    if (over !== undefined) return over;
    const call = this.#calls.of(relatedTo);
    const ledger = this.#ledgerOf(call);
    if (call === undefined || ledger === undefined) return Promise.reject(this.#refuse(method, call));
    if (declaredKinds(call.request.client.capabilities).has(kindOf(method, params))) return undefined;
    ledger.take(method, params);
    this.#suspendSoon(call);
    const end = (): Promise<never> => this.#unanswered(method, call);
    return call.answered.then(end, end);
  }

  /** A request as SDK v1 makes it, however the handler came to it. */
  async #make(method: string, relatedTo: RequestId | undefined, send: () => Promise<unknown>): Promise<unknown> {
    if (this.#isElsewhere || !isEmbeddedMethod(method)) return send();
    const call = this.#calls.of(relatedTo);
    try {
      return await (this.#whenOver(method, relatedTo) ?? send());
    } catch (error) {
      if (call === undefined || !isUnanswered(error)) throw error;
      return this.#unanswered(method, call, error);
    }
  }

  /** What a run gets whose call is over, or is gone altogether; undefined where it may ask. */
  #whenOver(method: EmbeddedMethod, relatedTo: RequestId | undefined): Promise<never> | undefined {
    if (this.#options.calls !== 'replay') return undefined;
    const call = this.#calls.of(relatedTo);
    if (call === undefined) return relatedTo === undefined ? undefined : this.#ended(method, relatedTo);
    if (!call.isOver) return undefined;
    return call.suspension === undefined ? this.#unanswered(method, call) : this.#block(call.suspension);
  }

  /**
   * What a run gets for whatever it begins after it has been suspended: the error once more, and after that nothing, so
   * that a handler which tries for ever does not keep the process from everything else.
   */
  #block(suspension: Suspension): Promise<never> {
    return suspension.noteAct() ? this.#suspended() : never();
  }

  /** What a question gets whose call has ended: with its open questions, or otherwise. */
  #unanswered(method: string, call: RunningCall, cause?: unknown): Promise<never> {
    return call.suspension === undefined ? this.#ended(method, call.id) : this.#suspended(cause);
  }

  #suspended(cause?: unknown): Promise<never> {
    return this.#options.suspend === 'pending' ? never() : Promise.reject(suspendedError(cause));
  }

  async #ended(method: string, id: RequestId): Promise<never> {
    // In a turn of its own: a handler that tries for ever must not keep the process from everything else.
    await new Promise<void>((resolve) => this.#options.clock.setImmediate(resolve));
    throw callEnded(method, id);
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
      if (!call.isOver) this.#suspend(call);
      for (const id of ids) this.#transport.deliver({ jsonrpc: '2.0', id, error: UNANSWERED });
    });
    return ids;
  }

  #suspend(call: RunningCall): void {
    const { clock, suspend, onContinued } = this.#options;
    this.#calls.addSuspended(call);
    const suspension = new Suspension({
      clock,
      isRejected: suspend === 'reject',
      onContinued: () => onContinued(call.request),
      abort: () => this.#calls.abort(call),
      onOver: () => this.#calls.releaseSuspended(call),
    });
    call.suspension = suspension;
    call.once?.close(() => this.#block(suspension));
    call.answer({ jsonrpc: '2.0', id: call.id, result: call.ledger?.suspend() ?? {} });
  }
}

// Anew each time: whatever awaits it would be kept with it.
function never(): Promise<never> {
  return new Promise(() => undefined);
}
