/**
 * What travels with an ask to a modern client and back: the handler's own state, how many rounds were asked, and which
 * confirmations were asked and decided. Sealed by the middleware in a form that no handler's payload can have.
 */
import { isJsonObject, type JsonObject } from '../core/json.ts';
import type { RequestStateCodec, StateCall, StateRefusalCause } from '../core/request-state.ts';
import type { Decision } from '../core/retry-record.ts';
import type { Session } from '../handshake/session.ts';
import { withinRound } from '../handshake/within-round.ts';
import { openableOf } from '../state/openable.ts';
import { RequestStateError } from '../state/request-state-error.ts';
import type { Asked, Entries } from './ledger.ts';
import type { RetryAnswers } from './retry-answers.ts';

export interface SealedRecord {
  /** The round of the next run. */
  readonly round: number;
  /** What the handler was answered in the round before, where it has to read that again: it asked in mid-body since. */
  readonly given: RetryAnswers | undefined;
  /** The handler's state as JSON text. */
  readonly state: string | undefined;
  /** The confirmations that were asked, a digest of each by its key. */
  readonly asked: ReadonlyMap<string, string>;
  /** What confirmations came to, by the digest of the question. */
  readonly decided: ReadonlyMap<string, Decision>;
  /** The results of side effects, as JSON text by their key. */
  readonly once: ReadonlyMap<string, string>;
  /** What the handler asked in mid-body: the answers so far, and the questions of the last round. */
  readonly ledger: { readonly entries: Entries; readonly asked: Asked };
}

/** Whether there is more in it than the handler's own state. */
export function isRecord({ asked, decided, once, ledger }: SealedRecord): boolean {
  return asked.size + decided.size + once.size + ledger.entries.length + ledger.asked.length > 0;
}

/** As JSON: short names, since it travels in every retry. */
interface Payload {
  readonly r: number;
  readonly s?: unknown;
  readonly a?: readonly (readonly [key: string, digest: string])[];
  readonly d?: readonly (readonly [digest: string, decision: Decision])[];
  readonly o?: readonly (readonly [key: string, result: string])[];
  readonly l?: Entries;
  readonly q?: Asked;
  readonly g?: { readonly r?: RetryAnswers['responses']; readonly f?: readonly string[] };
}

// A codec of the user's own seals any payload for anybody; this member tells the middleware's from others.
const MARK = 'mcp-dual-era/ask';

/** Seals `record` for `call`. */
export function sealRecord(codec: RequestStateCodec, record: SealedRecord, call: StateCall): string | Promise<string> {
  const { round, state, given, asked, decided, once, ledger } = record;
  const payload: Payload = {
    r: round,
    ...(state === undefined ? {} : { s: JSON.parse(state) as unknown }),
    ...(asked.size === 0 ? {} : { a: [...asked] }),
    ...(decided.size === 0 ? {} : { d: [...decided] }),
    ...(once.size === 0 ? {} : { o: [...once] }),
    ...(ledger.entries.length === 0 ? {} : { l: ledger.entries }),
    ...(ledger.asked.length === 0 ? {} : { q: ledger.asked }),
    ...(given === undefined ? {} : { g: { r: given.responses, f: [...(given.failed?.keys() ?? [])] } }),
  };
  return openableOf(codec)?.sealAsk(payload, call, isRecord(record)) ?? codec.mint({ [MARK]: payload }, call);
}

export type OpenedRecord = { readonly record: SealedRecord } | { readonly cause: StateRefusalCause };

/** Opens what a client sent back for `call`, and uses it up where states are used once. Never rejects. */
export async function openRecord(
  by: Pick<Session, 'codec' | 'options' | 'ports'>,
  state: unknown,
  { call, signal }: { readonly call: StateCall; readonly signal: AbortSignal },
): Promise<OpenedRecord> {
  try {
    const opening = openableOf(by.codec)?.openAsk(state, call) ?? verifyForeign(by.codec, state, call);
    // A codec or a store of the user's own may never answer.
    const payload = await withinRound(opening, by, signal);
    return { record: readPayload(payload as Payload) };
  } catch (error) {
    return { cause: error instanceof RequestStateError ? error.cause : 'codec-refused' };
  }
}

async function verifyForeign(codec: RequestStateCodec, state: unknown, call: StateCall): Promise<unknown> {
  if (typeof state !== 'string') throw new RequestStateError('malformed');
  const payload = await codec.verify(state, call);
  const members = isJsonObject(payload) ? Object.keys(payload) : [];
  if (members.length !== 1 || members[0] !== MARK) throw new RequestStateError('malformed');
  return (payload as JsonObject)[MARK];
}

function readPayload({ r, s, a, d, o, l = [], q = [], g }: Payload): SealedRecord {
  return {
    round: r,
    given: g === undefined ? undefined : answersOf(g),
    state: s === undefined ? undefined : JSON.stringify(s),
    asked: new Map(a),
    decided: new Map(d),
    once: new Map(o),
    ledger: { entries: l, asked: q },
  };
}

function answersOf({ r, f = [] }: NonNullable<Payload['g']>): RetryAnswers {
  return {
    responses: r === undefined ? undefined : Object.assign(Object.create(null), r),
    failed: new Map(f.map((key) => [key, { reason: 'malformed' }])),
  };
}
