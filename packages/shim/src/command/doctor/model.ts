/** What the doctor sees, as plain data: every text in it is short, and has no control characters. */
import type { JsonObject } from '../../core/json.ts';
import type { Era } from '../../core/revision.ts';
import type { Definitions } from './definitions.ts';

/** What the person wants to be served. */
export type Requirement = Era | 'both';

export function isRequired(era: Era, requirement: Requirement | undefined): boolean {
  return requirement === era || requirement === 'both';
}

/** What a client declares; `stateless` declares all, and neither keeps nor sends a session id. */
export type ClientKind = 'none' | 'form' | 'url' | 'all' | 'stateless';

export type Verdict = 'ok' | 'warning' | 'problem';

export type ListName = 'tools' | 'prompts' | 'resources';

export const LISTS: readonly ListName[] = ['tools', 'prompts', 'resources'];

/** One check, and what came of it. */
export interface Finding {
  /** Its heading in docs/doctor.md. */
  readonly id: string;
  readonly verdict: Verdict;
  readonly seen: string;
  /** What to change, and the page that says more; on a warning or a problem. */
  readonly cure?: string;
  readonly page?: string;
}

/** What a call asked; never its answer. */
export interface Question {
  /** Counted from 1; on the handshake era, each question is a round. */
  readonly round: number;
  readonly kind: string;
  readonly message: string;
  /** The names of what a form asks for. */
  readonly fields: readonly string[];
  /** Of a question that sends the person to a page: where, without the path. */
  readonly origin?: string;
}

/** What a call came to, after every question was declined. */
export interface CallReport {
  readonly questions: readonly Question[];
  readonly verdict: Verdict;
  /** `result`, `error`, `timeout`, or the reason of `mcp-dual-era/outcome`. */
  readonly outcome: string;
  readonly seen: string;
  readonly cure?: string;
  readonly page?: string;
}

/** One kind of client on one era. */
export interface Row {
  readonly era: Era;
  readonly client: ClientKind;
  /** `refused`: by a server that says so; `failed`: anything else; `not examined`: a package is missing. */
  readonly state: 'open' | 'refused' | 'failed' | 'not examined';
  readonly verdict: Verdict;
  readonly revision?: string;
  readonly server?: { readonly name: string; readonly version: string };
  /** What the server declares. */
  readonly capabilities: readonly string[];
  /** The names of what it lists. A list that failed, or is not there, is absent. */
  readonly lists: Readonly<Partial<Record<ListName, readonly string[]>>>;
  /** What it lists, whole, to be compared: never told as it is. */
  readonly definitions?: Readonly<Partial<Record<ListName, Definitions>>>;
  /** What went wrong on the way. */
  readonly notes: readonly string[];
  /** How its process ended by itself, where it did. */
  readonly ended?: string;
  /** Why a list was not read to its end: it goes round in circles (a problem), or is too long to be read (a warning). */
  readonly cut?: { readonly verdict: Verdict; readonly seen: string };
  readonly call?: CallReport;
}

export interface Report {
  readonly target: string;
  readonly rows: readonly Row[];
  /** The most severe first. */
  readonly findings: readonly Finding[];
  readonly call?: { readonly tool: string };
  readonly require?: Requirement;
}

const SEVERITY: readonly Verdict[] = ['problem', 'warning', 'ok'];

export function worst(verdicts: readonly Verdict[]): Verdict {
  return SEVERITY.find((verdict) => verdicts.includes(verdict)) ?? 'ok';
}

export function bySeverity(findings: readonly Finding[]): Finding[] {
  return SEVERITY.flatMap((verdict) => findings.filter((finding) => finding.verdict === verdict));
}

const FORM = { elicitation: { form: {} } };

/** The capabilities that each kind of client declares. */
export const CAPABILITIES: Readonly<Record<ClientKind, JsonObject>> = {
  none: {},
  form: FORM,
  url: { elicitation: { url: {} } },
  all: { elicitation: { form: {}, url: {} }, sampling: { tools: {}, context: {} }, roots: {} },
  stateless: { elicitation: { form: {}, url: {} }, sampling: { tools: {}, context: {} }, roots: {} },
};
