/** What a handler reads: its answers, its state, and what it may ask, the same on both eras. */

import { readElicitResult, readRootsResult, readSamplingResult } from './answer.ts';
import { type Confirmed, type ConfirmInput, confirm } from './confirm.ts';
import type { AskKind, ElicitResult, RootsResult, SamplingResult } from './embedded-request.ts';
import { DualEraError } from './errors.ts';
import { type CheckedInputResponse, type InputResponses, inputResponse } from './input-response.ts';
import { isJsonObject } from './json.ts';
import { wrongType } from './option-checks.ts';
import { type RetryRecord, retryRecordOf } from './retry-record.ts';
import { parseWith, type StandardSchema } from './standard-schema.ts';

/** The part of SDK v1's `extra` that is read. */
export interface HandlerExtra {
  readonly _meta?: object | undefined;
}

/** The view of one run of a handler. Every member answers for this run only. */
export interface InputContext {
  /** 0 on the first entry of a call, then the number of rounds that were answered. */
  readonly round: number;
  /**
   * This round's well-formed answers by key: own members only, no prototype. Undefined where none came. Content has its
   * defaults filled in on a handshake connection, and is not checked: `accepted` and `response` do that.
   */
  readonly responses: InputResponses | undefined;
  /**
   * The content of an accepted form; undefined where none came, where the person declined or cancelled, where the
   * content is not as the form asked, and where `schema` does not accept it. A connection of revision 2026-07-28 brings
   * the answer without the form: there `schema` alone checks the content, so give one.
   *
   * @throws TypeError when `schema` validates asynchronously.
   */
  accepted<Content = Record<string, unknown>>(key: string, schema?: StandardSchema<Content>): Content | undefined;
  /** The answer to an elicitation, form or URL, its content unchecked; undefined when absent or malformed: ask again. */
  elicitResult(key: string): ElicitResult | undefined;
  /** The answer to a sampling request; undefined when absent or malformed: ask again. */
  samplingResult(key: string): SamplingResult | undefined;
  /** The answer to a roots request; undefined when absent or malformed: ask again. */
  rootsResult(key: string): RootsResult | undefined;
  /**
   * The answer under `key`, told apart by `kind`. `invalid`: accepted content that is not as asked, with its issues.
   * `failed`: an answer that is an error or has not the shape of its kind.
   *
   * @throws TypeError when `schema` validates asynchronously.
   */
  response<Content = Record<string, unknown>>(
    key: string,
    schema?: StandardSchema<Content>,
  ): CheckedInputResponse<Content>;
  /** The value that the handler gave as `requestState`, a fresh copy each time; undefined when it gave none. */
  requestState<State = unknown>(): State | undefined;
  /**
   * Seals `payload`, a JSON value, for the call at hand: what it gives can be returned as the ask's `requestState`, and
   * comes back as `payload`. Only who needs the sealed text has to call it: a value that is returned as it is gets
   * sealed where it leaves the process. A promise where the codec of the user's own gives one.
   *
   * @throws DualEraError `NO_MIDDLEWARE` when the server is not wrapped; TypeError and RangeError as the codec's `mint`.
   */
  mintRequestState(payload: unknown): string | Promise<string>;
  /**
   * Confirms something with the person: returns `{ ask }` for the handler to return, or the `decision`, which is `'yes'`
   * only after an explicit accepted yes to this very message. A refusal, an empty or broken answer and an error answer
   * are `'no'`. A decision holds for the rest of the call; when the message has changed, it is asked again.
   *
   * @throws TypeError when `message` or `title` is no string.
   */
  confirm(key: string, input: ConfirmInput): Confirmed;
  /**
   * The id of the URL asked under `key` earlier in this call, for `completeElicitation`; undefined on revisions that
   * have no such ids.
   */
  elicitationId(key: string): string | undefined;
  /** Whether the caller declared that it can answer this kind of question, and its revision can say it. */
  canAsk(kind: AskKind): boolean;
}

/**
 * The input context of the run at hand.
 *
 * @param extra - the second argument of the handler (the first, for a tool without an input schema), as SDK v1 gave it.
 * Without a middleware it reads as a first entry that can ask nothing.
 * @throws TypeError for something else, such as the arguments of the tool.
 */
export function inputContext(extra: HandlerExtra): InputContext {
  return new RunContext(readRecord(extra));
}

/** The record beside the run whose `extra` this is. @throws TypeError when it is none. */
export function readRecord(extra: HandlerExtra): RetryRecord {
  if (isExtra(extra)) return retryRecordOf(extra._meta);
  throw wrongType('extra', 'the last argument of the handler, not its arguments', extra);
}

// SDK v1 always gives both; a test of a handler by itself may give neither.
function isExtra(extra: unknown): boolean {
  return isJsonObject(extra) && ('_meta' in extra || 'signal' in extra || JSON.stringify(extra) === '{}');
}

class RunContext implements InputContext {
  readonly #record: RetryRecord;

  constructor(record: RetryRecord) {
    this.#record = record;
  }

  get round(): number {
    return this.#record.round;
  }

  get responses(): InputResponses | undefined {
    return this.#record.responses;
  }

  accepted<Content = Record<string, unknown>>(key: string, schema?: StandardSchema<Content>): Content | undefined {
    if (schema === undefined) {
      return this.#record.invalid?.has(key) ? undefined : (this.elicitResult(key)?.content as Content | undefined);
    }
    const response = this.response(key, schema);
    return response.kind === 'elicit' && response.action === 'accept' ? response.content : undefined;
  }

  elicitResult(key: string): ElicitResult | undefined {
    return readElicitResult(this.responses?.[key]);
  }

  samplingResult(key: string): SamplingResult | undefined {
    return readSamplingResult(this.responses?.[key]);
  }

  rootsResult(key: string): RootsResult | undefined {
    return readRootsResult(this.responses?.[key]);
  }

  response<Content = Record<string, unknown>>(
    key: string,
    schema?: StandardSchema<Content>,
  ): CheckedInputResponse<Content> {
    const failed = this.#record.failed?.get(key);
    if (failed !== undefined) return { kind: 'failed', ...failed };
    const issues = this.#record.invalid?.get(key);
    if (issues !== undefined) return { kind: 'invalid', issues };
    const response = inputResponse(this.responses, key) as CheckedInputResponse<Content>;
    const isContent = response.kind === 'elicit' && response.action === 'accept' && response.content !== undefined;
    if (schema === undefined || !isContent) return response;
    const checked = parseWith(schema, response.content);
    if (checked.issues === undefined) return { kind: 'elicit', action: 'accept', content: checked.value };
    this.#record.noteUnusable?.(key);
    return { kind: 'invalid', issues: checked.issues };
  }

  requestState<State = unknown>(): State | undefined {
    const { state } = this.#record;
    return state === undefined ? undefined : (JSON.parse(state) as State);
  }

  mintRequestState(payload: unknown): string | Promise<string> {
    const { mint } = this.#record;
    if (mint !== undefined) return mint(payload);
    throw new DualEraError(
      'NO_MIDDLEWARE',
      'A state can be minted only in a call that the shim delivered. Wrap the server with withInputRequiredShim before connect.',
    );
  }

  confirm(key: string, input: ConfirmInput): Confirmed {
    return confirm(this.#record, key, input);
  }

  elicitationId(key: string): string | undefined {
    return this.#record.elicitationIds?.get(key);
  }

  canAsk(kind: AskKind): boolean {
    return this.#record.canAsk(kind);
  }
}
