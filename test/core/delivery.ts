import type { AnswerIssue, AskKind, HandlerExtra } from 'mcp-dual-era';

/** What a middleware puts beside a delivery (see core/retry-record.ts). */
interface Delivery {
  readonly round: number;
  readonly responses: Readonly<Record<string, unknown>> | undefined;
  readonly failed:
    | ReadonlyMap<string, { readonly reason: 'client-error' | 'malformed'; readonly code?: number }>
    | undefined;
  readonly invalid: ReadonlyMap<string, readonly AnswerIssue[]> | undefined;
  readonly state: string | undefined;
  readonly canAsk: (kind: AskKind) => boolean;
  readonly mint: ((payload: unknown) => string | Promise<string>) | undefined;
  readonly confirmations:
    | {
        wasAsked(key: string, params: object): boolean;
        decided(key: string, params: object): 'yes' | 'no' | undefined;
        decide(key: string, params: object, decision: 'yes' | 'no'): void;
      }
    | undefined;
  readonly elicitationIds: ReadonlyMap<string, string> | undefined;
  readonly noteUnusable: ((key: string) => void) | undefined;
}

const RECORDS = Symbol.for('mcp-dual-era.retry.1');

interface RetryRecords {
  put(meta: object, record: Delivery): void;
  of(meta: object): Delivery | undefined;
}

/** What the builds of the package share; there once the package is imported. */
export function sharedRecords(): RetryRecords {
  return (globalThis as unknown as Record<symbol, RetryRecords>)[RECORDS] as RetryRecords;
}

/** The `extra` of a handler that a middleware runs again, with `members` beside the delivery. */
export function deliver(members: Partial<Delivery>): HandlerExtra {
  const extra = { _meta: {} };
  sharedRecords().put(extra._meta, {
    round: 1,
    responses: undefined,
    failed: undefined,
    invalid: undefined,
    state: undefined,
    canAsk: () => false,
    mint: undefined,
    confirmations: undefined,
    elicitationIds: undefined,
    noteUnusable: () => undefined,
    ...members,
  });
  return extra;
}
