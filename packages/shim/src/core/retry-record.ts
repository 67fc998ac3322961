/**
 * What a middleware tells a handler about the run at hand, kept beside the message rather than in it, so that nothing a
 * client sends can forge it.
 *
 * The records are keyed by the `params._meta` object of the delivery, which SDK v1 hands to the handler by reference as
 * `extra._meta`. The map is on `globalThis` so that the ESM and the CJS build of this package share it; the number in
 * its name changes with the shape of a record.
 */
import type { AskKind, EmbeddedAnswer } from './embedded-request.ts';
import type { AnswerIssue } from './standard-schema.ts';

/** Why a key has no usable answer although one came. */
export interface FailedAnswer {
  readonly reason: 'client-error' | 'malformed';
  /** The JSON-RPC error code of a `client-error`. */
  readonly code?: number;
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
  /** Notes that the answer under `key` failed a schema it was read with; undefined where none came. */
  readonly noteUnusable: ((key: string) => void) | undefined;
}

const RECORDS = Symbol.for('mcp-dual-era.retry.1');

const holder = globalThis as unknown as { [RECORDS]?: WeakMap<object, RetryRecord> };
holder[RECORDS] ??= new WeakMap();
const records: WeakMap<object, RetryRecord> = holder[RECORDS];

const NOT_DELIVERED: RetryRecord = {
  round: 0,
  responses: undefined,
  failed: undefined,
  invalid: undefined,
  state: undefined,
  canAsk: () => false,
  noteUnusable: undefined,
};

/** Puts `record` beside the delivery whose `params._meta` is `meta`. */
export function putRetryRecord(meta: object, record: RetryRecord): void {
  records.set(meta, record);
}

/**
 * Takes away the record beside `meta`: its run has ended. The garbage collector would do so too, but a weak map that
 * keeps growing until then makes every collection slow.
 */
export function dropRetryRecord(meta: object): void {
  records.delete(meta);
}

/** The record beside `meta`; that of a call no middleware delivered when there is none. */
export function retryRecordOf(meta: unknown): RetryRecord {
  if (typeof meta !== 'object' || meta === null) return NOT_DELIVERED;
  return records.get(meta) ?? NOT_DELIVERED;
}
