/**
 * What one run of a handler may read on the modern leg, from what came with its request. Made as it is read: most runs
 * read nothing.
 */
import { declaredKinds } from '../core/capabilities.ts';
import type { AskKind } from '../core/embedded-request.ts';
import type { JsonObject } from '../core/json.ts';
import type { RetryRecord } from '../core/retry-record.ts';
import { Ledger } from './ledger.ts';
import { type RetryAnswers, readRetryAnswers } from './retry-answers.ts';
import type { RunOptions } from './running-call.ts';
import { SealedConfirmations } from './sealed-confirmations.ts';
import { SealedOnce } from './sealed-once.ts';
import type { SealedRecord } from './sealed-record.ts';

const NO_LEDGER = { entries: [], asked: [] };
const NO_ANSWERS: RetryAnswers = { responses: undefined, failed: undefined };

/** What came with a request. */
export interface Brought {
  /** Its answers, by key. */
  readonly given: JsonObject | undefined;
  /** What was in its verified state. */
  readonly sealed: SealedRecord | undefined;
}

/** What a record needs of its run. */
export interface RecordedRun {
  /** What the client declared. */
  readonly capabilities: JsonObject;
  mint(payload: unknown): string | Promise<string>;
  /** Called once, with the position of the first question that comes in another order than recorded. */
  noteDrift(position: number): void;
}

export class RunRecord implements RetryRecord, RunOptions {
  readonly #brought: Brought;
  readonly #run: RecordedRun;
  #kinds: ReadonlySet<AskKind> | undefined;
  #answers: RetryAnswers | undefined;
  #confirmations: SealedConfirmations | undefined;
  #once: SealedOnce | undefined;
  #ledger: Ledger | undefined;
  readonly invalid = undefined;
  readonly elicitationIds = undefined;
  readonly noteUnusable = undefined;

  constructor(brought: Brought, run: RecordedRun) {
    this.#brought = brought;
    this.#run = run;
  }

  get round(): number {
    const { responses, failed } = this.answers;
    return this.#brought.sealed?.round ?? (responses === undefined && failed === undefined ? 0 : 1);
  }

  get responses(): RetryRecord['responses'] {
    return this.answers.responses;
  }

  get failed(): RetryRecord['failed'] {
    return this.answers.failed;
  }

  get state(): string | undefined {
    return this.#brought.sealed?.state;
  }

  canAsk(kind: AskKind): boolean {
    return this.kinds.has(kind);
  }

  get mint(): (payload: unknown) => string | Promise<string> {
    return (payload) => this.#run.mint(payload);
  }

  get confirmations(): SealedConfirmations {
    this.#confirmations ??= new SealedConfirmations(this.#brought.sealed);
    return this.#confirmations;
  }

  get once(): SealedOnce {
    this.#once ??= new SealedOnce(this.#brought.sealed?.once);
    return this.#once;
  }

  /** The kinds of ask that the client can answer. */
  get kinds(): ReadonlySet<AskKind> {
    this.#kinds ??= declaredKinds(this.#run.capabilities);
    return this.#kinds;
  }

  get answers(): RetryAnswers {
    this.#answers ??= this.#readAnswers();
    return this.#answers;
  }

  /** What the handler asks in mid-body. */
  get ledger(): Ledger {
    const { given = {}, sealed } = this.#brought;
    this.#ledger ??= new Ledger(sealed?.ledger ?? NO_LEDGER, given, (position) => this.#run.noteDrift(position));
    return this.#ledger;
  }

  #readAnswers(): RetryAnswers {
    const { given, sealed } = this.#brought;
    // After a question in mid-body, the handler is to read what it read before it.
    if (sealed !== undefined && sealed.ledger.asked.length > 0) return sealed.given ?? NO_ANSWERS;
    return readRetryAnswers(given);
  }
}
