/**
 * What a call must come to, worked out from the contract alone: no line of the package is used here.
 *
 * A scenario is data: the asks of a handler round by round, and the answer to each question. The model plays it on
 * paper; the property test plays it through a server and compares.
 */

export type Kind = 'form' | 'url' | 'sampling' | 'roots';

/** What the client does with a question. */
export type Reply = 'good' | 'invalid' | 'empty' | 'decline' | 'cancel' | 'malformed' | 'error';

export interface Question {
  readonly key: string;
  readonly kind: Kind;
  /** Two questions under one key are the same when kind and variant are. */
  readonly variant: number;
  readonly reply: Reply;
}

/** One ask of the handler; `broken` ones are mistakes of its author. */
export type Ask =
  | { readonly broken: false; readonly questions: readonly Question[]; readonly state: number | undefined }
  | { readonly broken: true };

export interface Scenario {
  readonly asks: readonly Ask[];
  readonly declared: readonly Kind[];
  readonly legs: 'sequential' | 'concurrent';
  readonly onFailedLeg: 'end' | 'reenter';
  readonly onRepeatedAsk: 'end' | 'allow';
  readonly maxRounds: number;
  /** Which of the open questions the client answers next: an index into them, modulo their number. */
  readonly order: readonly number[];
  /** Whether the client sends each answer twice, and one with an id that was never given out. */
  readonly isNoisy: boolean;
}

export interface Expected {
  /** The keys in the order in which their questions go out, round by round. */
  readonly asked: readonly (readonly string[])[];
  /** The keys whose dialogs the server closes. */
  readonly closed: readonly string[];
  readonly runs: number;
  /** The handler's own result, or why there is none. */
  readonly end: End;
}

export type End =
  | { readonly told: { readonly round: number; readonly views: Record<string, string>; readonly state: number | null } }
  | { readonly reason: string; readonly round: number; readonly key?: string }
  | { readonly mistake: true };

/** How a reply to a question of some kind reads. Only forms can be filled in wrongly, only elicitations refused. */
function readingOf(kind: Kind, reply: Reply): string {
  if (reply === 'error') return 'failed client-error';
  const isElicitation = kind === 'form' || kind === 'url';
  if (reply === 'malformed') return 'failed malformed';
  if (!isElicitation) return kind;
  if (reply === 'decline' || reply === 'cancel') return `elicit ${reply}`;
  return kind === 'form' && reply === 'invalid' ? 'invalid' : 'elicit accept';
}

type Trouble = 'declined' | 'cancelled' | 'failed' | 'malformed' | 'unusable';

function troubleOf({ kind, reply }: Question): Trouble | undefined {
  if (reply === 'error') return 'failed';
  if (reply === 'malformed') return 'malformed';
  if (kind !== 'form' && kind !== 'url') return undefined;
  if (reply === 'decline') return 'declined';
  if (reply === 'cancel') return 'cancelled';
  return kind === 'form' && reply !== 'good' ? 'unusable' : undefined;
}

interface Memory {
  readonly question: Question;
  readonly trouble: Trouble;
  readonly poorInARow: number;
}

const isSame = (left: Question, right: Question): boolean => left.kind === right.kind && left.variant === right.variant;

function whyNotAgain(question: Question, memory: Memory | undefined): string | undefined {
  if (memory === undefined || !isSame(question, memory.question)) return undefined;
  const { trouble, poorInARow } = memory;
  if (trouble === 'declined' || trouble === 'cancelled') return trouble;
  if (trouble === 'failed') return 'repeated-ask';
  if (poorInARow < 3) return undefined;
  return trouble === 'malformed' ? 'malformed' : 'repeated-ask';
}

export function play(scenario: Scenario): Expected {
  const asked: string[][] = [];
  const closed: string[] = [];
  let memory = new Map<string, Memory>();
  let answered: readonly Question[] = [];
  let state: number | null = null;
  let turn = 0;
  const finish = (runs: number, end: End): Expected => ({ asked, closed, runs, end });

  for (let round = 0; ; round += 1) {
    const runs = round + 1;
    const ask = scenario.asks[round];
    if (ask === undefined) {
      const views = Object.fromEntries(answered.map(({ key, kind, reply }) => [key, readingOf(kind, reply)]));
      return finish(runs, { told: { round, views, state } });
    }
    if (ask.broken) return finish(runs, { mistake: true });
    if (ask.questions.some(({ kind }) => !scenario.declared.includes(kind))) {
      return finish(runs, { reason: 'unsupported', round: runs });
    }
    if (scenario.onRepeatedAsk === 'end') {
      for (const question of ask.questions) {
        const reason = whyNotAgain(question, memory.get(question.key));
        if (reason !== undefined) return finish(runs, { reason, round: runs, key: question.key });
      }
    }
    if (runs > scenario.maxRounds) return finish(runs, { reason: 'rounds-exceeded', round: runs });

    state = ask.state ?? null;
    answered = ask.questions;
    if (ask.questions.length === 0) continue;

    const out: string[] = [];
    asked.push(out);
    const waiting = [...ask.questions];
    const open: Question[] = [];
    const send = (count: number): void => {
      for (const question of waiting.splice(0, count)) {
        out.push(question.key);
        open.push(question);
      }
    };
    send(scenario.legs === 'sequential' ? 1 : waiting.length);
    while (open.length > 0) {
      const [question] = open.splice((scenario.order[turn % scenario.order.length] ?? 0) % open.length, 1);
      turn += 1;
      if (question?.reply === 'error' && scenario.onFailedLeg === 'end') {
        closed.push(...open.map(({ key }) => key));
        return finish(runs, { reason: 'client-error', round: runs, key: question.key });
      }
      if (scenario.legs === 'sequential') send(1);
    }
    memory = remember(ask.questions, memory);
  }
}

/** Only the round just over counts: a question that was not asked in it may be asked again. */
function remember(questions: readonly Question[], before: ReadonlyMap<string, Memory>): Map<string, Memory> {
  const memory = new Map<string, Memory>();
  for (const question of questions) {
    const trouble = troubleOf(question);
    if (trouble === undefined) continue;
    const last = before.get(question.key);
    const isPoor = trouble === 'malformed' || trouble === 'unusable';
    const isAgain = last !== undefined && isSame(question, last.question);
    memory.set(question.key, { question, trouble, poorInARow: isPoor ? 1 + (isAgain ? last.poorInARow : 0) : 0 });
  }
  return memory;
}
