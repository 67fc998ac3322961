import type { InputContext } from 'mcp-dual-era';
import { form, ROOTS, roots, SAMPLED, sampling, url } from '../support/asks.ts';
import type { Json } from '../support/json.ts';
import { settle } from '../support/manual-clock.ts';
import type { PlaySession } from '../support/open-play.ts';
import { PLAY_PARAMS } from '../support/play-server.ts';
import type { Ask, End, Expected, Kind, Question, Scenario } from './model.ts';

/** Plays scenarios of the model through a real server: the handler's side, and the client's. */

/** What the handler of `scenario` returns in this run. */
export function runHandler(scenario: Scenario, context: InputContext): Json | string {
  const ask = scenario.asks[context.round];
  if (ask !== undefined) return toAsk(ask);
  const before = scenario.asks[context.round - 1];
  const views: Record<string, string> = {};
  if (before !== undefined && !before.broken)
    for (const { key } of before.questions) define(views, key, viewOf(context, key));
  return JSON.stringify({ round: context.round, views, state: context.requestState() ?? null });
}

function viewOf(context: InputContext, key: string): string {
  const response = context.response(key);
  if (response.kind === 'elicit') return `elicit ${response.action}`;
  return response.kind === 'failed' ? `failed ${response.reason}` : response.kind;
}

function toAsk(ask: Ask): Json {
  if (ask.broken) return { resultType: 'input_required', inputRequests: { x: { method: 'ping' } } };
  const inputRequests: Json = {};
  for (const question of ask.questions) define(inputRequests, question.key, toRequest(question));
  return { resultType: 'input_required', inputRequests, requestState: ask.state };
}

const MAKERS: Readonly<Record<Kind, (variant: number) => Json>> = {
  form: (variant) => form(`Form ${variant}?`),
  url: (variant) => url(`Page ${variant}`),
  sampling: (variant) => sampling(`Text ${variant}`),
  roots: (variant) => ({ ...roots(), params: { _meta: { variant } } }),
};

const toRequest = ({ kind, variant }: Question): Json => MAKERS[kind](variant);

function define(object: object, key: string, value: unknown): void {
  Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
}

/** The message that answers the leg `id`. */
function replyTo({ kind, reply }: Question, id: unknown): Json {
  if (reply === 'error') return { jsonrpc: '2.0', id, error: { code: -7, message: 'no' } };
  return { jsonrpc: '2.0', id, result: resultOf(kind, reply) };
}

function resultOf(kind: Kind, reply: Question['reply']): unknown {
  if (reply === 'malformed') return { nonsense: true };
  if (kind === 'sampling') return SAMPLED;
  if (kind === 'roots') return ROOTS;
  if (reply === 'decline' || reply === 'cancel') return { action: reply };
  if (kind === 'url' || reply === 'empty') return { action: 'accept' };
  return { action: 'accept', content: reply === 'invalid' ? { name: 5 } : { name: 'Ada' } };
}

/** The client's side of one call: answers its questions as its scenario says, and keeps what it saw. */
export class CallPlayer {
  readonly #scenario: Scenario;
  readonly #open: { question: Question; id: string }[] = [];
  readonly #asked: string[][] = [];
  readonly #closed: string[] = [];
  #round = -1;
  #left = 0;
  #turn = 0;
  answer: Json | undefined;

  constructor(scenario: Scenario) {
    this.#scenario = scenario;
  }

  get isWaiting(): boolean {
    return this.answer === undefined && this.#open.length > 0;
  }

  /** Takes a message of this call. */
  take(message: Json): void {
    if (!('method' in message)) this.answer = message;
    else if ('id' in message) this.#takeLeg(message);
    else this.#takeCancellation(message['params'].requestId);
  }

  // Which question it is follows from the order in which they must go out.
  #takeLeg(leg: Json): void {
    if (this.#left === 0) this.#nextRound();
    const ask = this.#scenario.asks[this.#round];
    const questions = ask === undefined || ask.broken ? [] : ask.questions;
    const question = questions[questions.length - this.#left] as Question;
    this.#left -= 1;
    this.#asked.at(-1)?.push(question.key);
    this.#open.push({ question, id: leg['id'] });
  }

  #nextRound(): void {
    do this.#round += 1;
    while (this.#isSilent(this.#scenario.asks[this.#round]));
    const ask = this.#scenario.asks[this.#round];
    this.#left = ask === undefined || ask.broken ? 0 : ask.questions.length;
    this.#asked.push([]);
  }

  #isSilent(ask: Ask | undefined): boolean {
    return ask !== undefined && !ask.broken && ask.questions.length === 0;
  }

  #takeCancellation(id: string): void {
    const index = this.#open.findIndex((leg) => leg.id === id);
    const [leg] = index < 0 ? [] : this.#open.splice(index, 1);
    this.#closed.push(leg?.question.key ?? `${id} is not open`);
  }

  /** The answer to one of the open questions, and whatever noise the client makes with it. */
  nextReplies(): Json[] {
    const { order } = this.#scenario;
    const [leg] = this.#open.splice((order[this.#turn % order.length] ?? 0) % this.#open.length, 1);
    this.#turn += 1;
    if (leg === undefined) throw new Error('Nothing to answer');
    const reply = replyTo(leg.question, leg.id);
    return this.#scenario.isNoisy ? [reply, reply, { ...reply, id: `${leg.id}.x` }] : [reply];
  }

  seen(runs: number): Expected {
    return { asked: this.#asked, closed: this.#closed, runs, end: endOf(this.answer ?? {}) };
  }
}

function endOf({ result, error }: Json): End {
  if (error !== undefined) return { mistake: true };
  const outcome = result._meta?.['mcp-dual-era/outcome'];
  if (outcome === undefined) return { told: JSON.parse(result.content[0].text) };
  const { reason, round, key } = outcome;
  return { reason, round, ...(key === undefined ? {} : { key }) };
}

/** Plays the calls, all at once, until each is answered. `pick` says which of those that can go on does next. */
export async function playCalls(
  session: PlaySession,
  players: ReadonlyMap<unknown, CallPlayer>,
  pick: (count: number) => number,
): Promise<void> {
  const { peer, clock } = session;
  const callOf = watchRelations(session);
  let read = peer.inbox.all.length;
  for (const id of players.keys()) {
    // With a progress token there is a heartbeat to be stopped, too.
    await peer.request('tools/call', { ...PLAY_PARAMS['tools/call'], _meta: { progressToken: id } }, id as string);
  }
  for (let step = 0; step < 2_000; step += 1) {
    await settle();
    for (; read < peer.inbox.all.length; read += 1) {
      const message = peer.inbox.all[read] as Json;
      players.get(callOf.get(message['params']?.requestId ?? message['id']) ?? message['id'])?.take(message);
    }
    if ([...players.values()].every(({ answer }) => answer !== undefined)) return;
    const waiting = [...players.values()].filter((player) => player.isWaiting);
    const player = waiting[pick(waiting.length)];
    if (player === undefined) await clock.advance(250);
    else for (const message of player.nextReplies()) await peer.send(message);
  }
  throw new Error(`Not answered: ${JSON.stringify(peer.inbox.all.slice(-3))}`);
}

/** The call that each question is related to: the transport is told, the in-memory wire is not. */
function watchRelations({ far }: PlaySession): Map<unknown, unknown> {
  const relations = new Map<unknown, unknown>();
  const send = far.send;
  far.send = (message, options) => {
    if ('method' in message && 'id' in message) {
      const isFresh = typeof message.id === 'string' && !relations.has(message.id);
      relations.set(message.id, isFresh ? options?.relatedRequestId : 'not a fresh string');
    }
    return send.call(far, message, options);
  };
  return relations;
}
