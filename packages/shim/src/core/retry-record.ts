/**
 * What a middleware tells a handler about the run at hand, kept beside the message rather than in it, so that nothing a
 * client sends can forge it.
 *
 * A record hangs on the `params._meta` object of its delivery, which SDK v1 hands to the handler by reference as
 * `extra._meta`: in a private field, which is out of reach and goes with its object as an entry of a WeakMap would, but
 * takes nanoseconds where that takes two microseconds of every call. Who reads and writes the field is on globalThis, so
 * that the ESM and the CJS build of this package share it; the number in its name changes with the shape of a record.
 */
import type { AskKind, EmbeddedAnswer } from './embedded-request.ts';
import type { AnswerIssue } from './standard-schema.ts';

/** Why a key has no usable answer although one came. */
export interface FailedAnswer {
  readonly reason: 'client-error' | 'malformed';
  /** The JSON-RPC error code of a `client-error`. */
  readonly code?: number;
}

export type Decision = 'yes' | 'no';

/** The confirmations of one run. A question is told by its key and all of its params: the very text shown. */
export interface Confirmations {
  /** Whether the round before this run asked it. */
  wasAsked(key: string, params: object): boolean;
  /** What it came to earlier in this call. */
  decided(key: string, params: object): Decision | undefined;
  /** Keeps what it came to for the rest of this call. */
  decide(key: string, params: object, decision: Decision): void;
  /** Notes a question that this run is about to ask, where that has to be known before the ask goes out. */
  willAsk?(key: string, params: object): void;
}

/** The results of side effects that have happened in this call, as JSON text by the key they were given. */
export interface OnceResults {
  get(key: string): string | undefined;
  set(key: string, result: string): void;
  /** The effects under way, by their keys: of this run, or begun by the one before. */
  readonly running: Map<string, Promise<string>>;
  /** What becomes of an effect that must not begin any more, because the run has been suspended; else undefined. */
  blocked?(): Promise<never> | undefined;
}

export interface RetryRecord {
  /** 0 on the first entry of a call. */
  readonly round: number;
  /** This round's well-formed answers, without a prototype; undefined where none came. */
  readonly responses: Readonly<Record<string, EmbeddedAnswer>> | undefined;
  readonly failed: ReadonlyMap<string, FailedAnswer> | undefined;
  /** Accepted content that is not as the form asked, by key. */
  readonly invalid: ReadonlyMap<string, readonly AnswerIssue[]> | undefined;
  /** The verified state as JSON text. */
  readonly state: string | undefined;
  readonly canAsk: (kind: AskKind) => boolean;
  /** Seals a state for the call at hand; undefined when no middleware delivered it. */
  readonly mint: ((payload: unknown) => string | Promise<string>) | undefined;
  /** Undefined where nothing can have been asked. */
  readonly confirmations: Confirmations | undefined;
  /** Undefined when no middleware delivered it, so that it will not run again. */
  readonly once: OnceResults | undefined;
  /** The ids of the URLs asked in this call, by key, where the revision has such ids. */
  readonly elicitationIds: ReadonlyMap<string, string> | undefined;
  /** Notes that the answer under `key` failed a schema it was read with; undefined where none came. */
  readonly noteUnusable: ((key: string) => void) | undefined;
}

const RECORDS = Symbol.for('mcp-dual-era.retry.1');

interface RetryRecords {
  /** @param meta - a fresh object. */
  put(meta: object, record: RetryRecord): void;
  of(meta: object): RetryRecord | undefined;
}

class Given {
  constructor(object: object) {
    // biome-ignore lint/correctness/noConstructorReturn: a subclass then has its field on the object that was given.
    return object;
  }
}

class Carrier extends Given {
  readonly #record: RetryRecord;

  constructor(meta: object, record: RetryRecord) {
    super(meta);
    this.#record = record;
  }

  static recordOf(meta: object): RetryRecord | undefined {
    return #record in meta ? meta.#record : undefined;
  }
}

const holder = globalThis as unknown as { [RECORDS]?: RetryRecords };
holder[RECORDS] ??= { put: (meta, record) => void new Carrier(meta, record), of: Carrier.recordOf };
const records: RetryRecords = holder[RECORDS];

const NOT_DELIVERED: RetryRecord = {
  round: 0,
  responses: undefined,
  failed: undefined,
  invalid: undefined,
  state: undefined,
  canAsk: () => false,
  mint: undefined,
  confirmations: undefined,
  once: undefined,
  elicitationIds: undefined,
  noteUnusable: undefined,
};

/** Puts `record` beside the delivery whose `params._meta` is `meta`, an object that no other record hangs on. */
export function putRetryRecord(meta: object, record: RetryRecord): void {
  records.put(meta, record);
}

/** The record beside `meta`; that of a call no middleware delivered when there is none. */
export function retryRecordOf(meta: unknown): RetryRecord {
  if (typeof meta !== 'object' || meta === null) return NOT_DELIVERED;
  return records.of(meta) ?? NOT_DELIVERED;
}
