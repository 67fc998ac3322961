/** One kind of client on one era: opens, lists, calls where a call is wanted, closes. */
import { isJsonObject } from '../../core/json.ts';
import type { Era } from '../../core/revision.ts';
import { outcomeOfEnd, outcomeOfError, rpcErrorOf } from './call-outcome.ts';
import type { Definitions } from './definitions.ts';
import { type Listed, listAll, listUndeclared } from './lists.ts';
import {
  CAPABILITIES,
  type CallReport,
  type ClientKind,
  LISTS,
  type ListName,
  type Question,
  type Row,
  type Verdict,
  worst,
} from './model.ts';
import type { OpenClient, ToolCall } from './open-client.ts';
import { type Look, step } from './step.ts';

const MOST_QUESTIONS = 20;

export interface VisitSettings {
  readonly era: Era;
  readonly client: ClientKind;
  readonly call: ToolCall | undefined;
  /** Whether the server gave a session to a client that takes one. */
  readonly hasSessions: boolean;
}

/** @param open - rejects with what kept the client from opening. */
export async function visit(look: Look, settings: VisitSettings, open: () => Promise<OpenClient>): Promise<Row> {
  const { era, client } = settings;
  const empty = { era, client, capabilities: [], lists: {}, notes: [] };
  let opened: OpenClient;
  try {
    opened = await open();
  } catch (error) {
    return { ...empty, ...failed(look, settings, error) };
  }
  let seen: Row;
  try {
    seen = await row(look, settings, opened);
  } finally {
    // Whatever the server does, the client is closed, and nobody waits longer for it than for anything else.
    await step({ ...look, signal: new AbortController().signal }, () => opened.close()).catch(() => undefined);
  }
  const ended = opened.ended();
  // Only seen now, where it ended right after its last answer.
  return ended === undefined || seen.ended !== undefined ? seen : { ...seen, verdict: 'problem', ended };
}

/** A client without sessions that is refused by a server with sessions is what such a client is to meet. */
function failed(
  look: Look,
  { client, hasSessions }: VisitSettings,
  error: unknown,
): Pick<Row, 'state' | 'verdict' | 'notes'> {
  if (client === 'stateless' && hasSessions) {
    return { state: 'refused', verdict: 'ok', notes: ['this server needs a session, and so has a way to ask'] };
  }
  const { message } = rpcErrorOf(error);
  return { state: 'failed', verdict: 'problem', notes: [look.tell(message)] };
}

async function row(look: Look, settings: VisitSettings, opened: OpenClient): Promise<Row> {
  const { era, client, call } = settings;
  const { revision, server, capabilities } = opened;
  const notes: string[] = [];
  const verdicts: Verdict[] = [];
  const lists: Partial<Record<ListName, readonly string[]>> = {};
  const definitions: Partial<Record<ListName, Definitions>> = {};
  let cut: Row['cut'];
  for (const name of LISTS) {
    const isDeclared = Object.hasOwn(capabilities, name);
    try {
      const listed: Listed = await (isDeclared ? listAll : listUndeclared)(look, name, opened);
      const { names, leftOut } = listed;
      if (listed.cut !== undefined && cut?.verdict !== 'problem') cut = listed.cut;
      if (leftOut.length > 0) {
        verdicts.push('problem');
        notes.push(`${name}: clients must leave out ${leftOut.slice(0, 3).join(', ')}, for its x-mcp-header`);
      }
      if (isDeclared || names.length > 0) lists[name] = names;
      definitions[name] = listed.definitions;
      if (isDeclared || names.length === 0) continue;
      verdicts.push('problem');
      notes.push(`${name}: has ${names.length}, and does not declare them`);
    } catch (error) {
      // A stateless client is not known to a server with sessions.
      if (client === 'stateless' && settings.hasSessions) {
        return {
          era,
          client,
          capabilities: [],
          lists: {},
          ...failed(look, settings, error),
          revision: look.tell(revision, 20),
        };
      }
      // Told of by itself: the list has nothing to do with it.
      if (opened.ended() !== undefined) break;
      if (!isDeclared) continue;
      verdicts.push('problem');
      notes.push(`${name}: declared, and the list fails: ${look.tell(rpcErrorOf(error).message, 120)}`);
    }
  }
  if (cut !== undefined) verdicts.push(cut.verdict);
  const report =
    call === undefined || opened.ended() !== undefined ? undefined : await callOnce(look, settings, { opened, call });
  if (report !== undefined) verdicts.push(report.verdict);
  const ended = opened.ended();
  if (ended !== undefined) verdicts.push('problem');
  return {
    era,
    client,
    state: 'open',
    verdict: worst(verdicts),
    revision: look.tell(revision, 20),
    ...(server === undefined
      ? {}
      : { server: { name: look.tell(server.name, 60), version: look.tell(server.version, 30) } }),
    capabilities: Object.keys(capabilities)
      .slice(0, 20)
      .map((name) => look.tell(name, 30)),
    lists,
    definitions,
    notes,
    ...(ended === undefined ? {} : { ended }),
    ...(cut === undefined ? {} : { cut }),
    ...(report === undefined ? {} : { call: report }),
  };
}

async function callOnce(
  look: Look,
  { client }: VisitSettings,
  { opened, call }: { opened: OpenClient; call: ToolCall },
): Promise<CallReport> {
  const questions: Question[] = [];
  let asked = 0;
  const onQuestion = (question: Question): void => {
    asked += 1;
    if (questions.length < MOST_QUESTIONS) questions.push(question);
  };
  let outcome: Omit<CallReport, 'questions'>;
  try {
    outcome = outcomeOfEnd(look, client, { end: await step(look, () => opened.call(call, onQuestion)), asked });
  } catch (error) {
    outcome = outcomeOfError(look, client, { error, asked });
    const ended = opened.ended();
    if (ended !== undefined) {
      const cure = 'let the tool end with a result or an error, never with the process';
      return { questions, verdict: 'problem', outcome: 'ended', seen: ended, cure, page: 'docs/doctor.md#process' };
    }
  }
  const undeclared = questions.find(({ kind }) => !isDeclared(client, kind));
  if (undeclared === undefined) return { questions, ...outcome };
  return {
    questions,
    verdict: 'problem',
    outcome: outcome.outcome,
    seen: `asked ${undeclared.kind}, which this client did not declare; then ${outcome.seen}`,
    cure: 'ask only what the client declared: ctx.canAsk(kind)',
    page: 'docs/asking.md',
  };
}

function isDeclared(client: ClientKind, kind: string): boolean {
  const { elicitation, ...others } = CAPABILITIES[client];
  return (isJsonObject(elicitation) && Object.hasOwn(elicitation, kind)) || Object.hasOwn(others, kind);
}
