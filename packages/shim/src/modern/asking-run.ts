/** One run of a handler that may ask, for a modern client: what it may read, and what becomes of its ask. */
import { TimeoutError } from 'p-timeout';
import { requiredCapabilities } from '../core/capabilities.ts';
import { type CheckedAsk, type CheckedRequest, checkAsk } from '../core/check-ask.ts';
import type { AskKind } from '../core/embedded-request.ts';
import { expressRequest } from '../core/express-request.ts';
import { isJsonObject, type JsonObject } from '../core/json.ts';
import { MISSING_CAPABILITY } from '../core/json-rpc.ts';
import { MODERN_REVISION } from '../core/revision.ts';
import type { Session } from '../handshake/session.ts';
import { unsealState } from '../handshake/state.ts';
import { withinRound } from '../handshake/within-round.ts';
import { mintValue, openableOf } from '../state/openable.ts';
import { isTooLarge } from '../state/too-large.ts';
import type { ModernLeg } from './leg.ts';
import { aboutOf, mistakeOf } from './mistake.ts';
import type { ModernRequest } from './modern-request.ts';
import { requireAnswers } from './retry-answers.ts';
import { requireState, stateCallOf } from './retry-state.ts';
import { type Brought, type RecordedRun, RunRecord } from './run-record.ts';
import { isRecord, type SealedRecord, sealRecord } from './sealed-record.ts';
import { WireError } from './wire-error.ts';

export class AskingRun implements RecordedRun {
  readonly #leg: ModernLeg;
  readonly #request: ModernRequest;
  /** What the handler may read. */
  readonly record: RunRecord;

  /**
   * Reads what came with `request`.
   *
   * @throws WireError for a state that was not sealed for this call (always the same one), and for answers that are no
   * object. No handler has run then.
   */
  static open(leg: ModernLeg, request: ModernRequest): AskingRun | Promise<AskingRun> {
    // Before the state, which may be used up by being opened.
    const given = requireAnswers(request.retry.inputResponses);
    // Presence counts, not truth: an empty text is a state like any other.
    if (!('requestState' in request.retry)) return new AskingRun(leg, request, { given, sealed: undefined });
    return requireState(leg, request).then((sealed) => new AskingRun(leg, request, { given, sealed }));
  }

  private constructor(leg: ModernLeg, request: ModernRequest, brought: Brought) {
    this.#leg = leg;
    this.#request = request;
    this.record = new RunRecord(brought, this);
  }

  get capabilities(): JsonObject {
    return this.#request.client.capabilities;
  }

  mint(payload: unknown): string | Promise<string> {
    return mintValue(this.#leg.settings.codec, payload, stateCallOf(this.#request));
  }

  noteDrift(position: number): void {
    this.#leg.emitter.emit({ type: 'replay-drift', ...aboutOf(this.#request), position });
  }

  /**
   * The result that carries `ask` to the client: what the specification has of it, and nothing that SDK v1 added.
   *
   * @throws WireError -32603 for a mistake of the author's, -32021 naming everything the client did not declare.
   */
  async pass(ask: JsonObject): Promise<JsonObject> {
    const { options } = this.#leg.settings;
    const checked = checkAsk(ask, options.maxStateBytes);
    if ('mistake' in checked) throw this.#mistake(checked.mistake);
    const inputRequests = this.#express(checked.requests);
    // What has begun has happened by the time it runs again, so its result has to be there.
    await this.#effectsSettled();
    const requestState = await this.#seal(checked);
    const meta = ask['_meta'];
    return {
      resultType: 'input_required',
      ...(checked.requests.length === 0 ? {} : { inputRequests }),
      ...(requestState === undefined ? {} : { requestState }),
      ...(isJsonObject(meta) ? { _meta: meta } : {}),
    };
  }

  #express(requests: readonly CheckedRequest[]): JsonObject {
    const missing = new Set(requests.map(({ kind }) => kind).filter((kind) => !this.record.canAsk(kind)));
    if (missing.size > 0) throw missingCapabilities(missing, this.#request.method);
    return Object.fromEntries(requests.map((request) => [request.key, this.#expressOne(request)]));
  }

  #expressOne(request: CheckedRequest): JsonObject {
    const expressed = expressRequest(request, MODERN_REVISION);
    if ('cannot' in expressed) throw this.#mistake(expressed.cannot);
    // Spec, client/elicitation: this revision has no elicitationId.
    const { elicitationId: _elicitationId, ...params } = expressed.params;
    return { method: request.method, params };
  }

  async #effectsSettled(): Promise<void> {
    const { once } = this.record;
    if (once.running.size === 0) return;
    try {
      await this.#withinRound(once.settled());
    } catch {
      this.#request.signal.throwIfAborted();
      throw this.#mistake('an effect of once had not settled after roundTimeout');
    }
  }

  async #seal(ask: CheckedAsk): Promise<string | undefined> {
    const { settings, onEphemeralSeal } = this.#leg;
    const record = this.record.ledger.isSuspended ? this.#recordAgain() : await this.#recordNext(ask);
    if (record.state === undefined && !isRecord(record)) return undefined;
    try {
      const sealing = sealRecord(settings.codec, record, stateCallOf(this.#request));
      const sealed = typeof sealing === 'string' ? sealing : await this.#withinRound(sealing);
      if (openableOf(settings.codec)?.isEphemeral) onEphemeralSeal();
      return sealed;
    } catch (error) {
      this.#request.signal.throwIfAborted();
      if (isTooLarge(error)) throw this.#mistake(`what it keeps is too large: ${error.message}`);
      // Not in the words of the error, which may hold what nobody is to see.
      const why = error instanceof TimeoutError ? 'the codec option did not answer' : THREW;
      throw this.#mistake(`its state could not be sealed: ${why}`);
    }
  }

  /** For the run after the ask that the handler returned. */
  async #recordNext(ask: CheckedAsk): Promise<SealedRecord> {
    const { round, confirmations, once, ledger } = this.record;
    return {
      round: round + 1,
      given: undefined,
      state: ask.sealed === undefined ? ask.state : await this.#unseal(ask.sealed),
      ...confirmations.recordOf(ask.requests),
      once: once.results,
      ledger: ledger.sealed,
    };
  }

  /** For the same run again, with more of its questions in mid-body answered. */
  #recordAgain(): SealedRecord {
    const { round, answers, state, confirmations, once, ledger } = this.record;
    return {
      round,
      given: answers,
      state,
      ...confirmations.record,
      once: once.results,
      ledger: ledger.sealed,
    };
  }

  /** The state in a text that the handler minted. */
  async #unseal(sealed: string): Promise<string> {
    const { signal } = this.#request;
    const state = await unsealState(this.#limits, stateCallOf(this.#request), { sealed, signal });
    if (typeof state === 'string') return state;
    signal.throwIfAborted();
    throw this.#mistake(state.mistake);
  }

  #withinRound<Result>(waiting: Promise<Result>): Promise<Result> {
    return withinRound(waiting, this.#limits, this.#request.signal);
  }

  get #limits(): Pick<Session, 'codec' | 'options' | 'ports'> {
    const { settings, ports } = this.#leg;
    return { ...settings, ports };
  }

  #mistake(mistake: string): WireError {
    return mistakeOf(this.#leg, this.#request, mistake);
  }
}

const THREW = 'the bind, subject or codec option threw';

function missingCapabilities(kinds: ReadonlySet<AskKind>, method: string): WireError {
  const names = [...kinds].map((kind) => (kind === 'form' || kind === 'url' ? `elicitation.${kind}` : kind));
  const message = `${method} has to ask something, and the client did not declare ${names.join(', ')}`;
  return new WireError(MISSING_CAPABILITY, message, { requiredCapabilities: requiredCapabilities(kinds) });
}
