import { describe, expect, it } from 'vitest';
import type { Json } from '../support/json.ts';
import { ASKABLE, type Endpoint, FACES, modern, NOTHING, openEndpoint, textOf } from './session-endpoint.ts';

const SESSIONS = 15;
const CALLS = 5;

/** A session that asks for all it can at once, and answers the questions in the reverse order. */
async function playSession(endpoint: Endpoint, number: number): Promise<readonly string[]> {
  const { peer, streams } = await endpoint.open(ASKABLE, `app/person-${number}`);
  const name = (call: number): string => `${number}.${call}`;
  const calls = Array.from({ length: CALLS }, (_, call) => call);
  // The same ids in every session.
  for (const call of calls) {
    await peer.request('tools/call', { name: 'ask', arguments: { question: `Who is ${name(call)}?` } }, call + 1);
  }
  const legs: Json[] = [];
  for (const _ of calls) legs.push(await peer.next());
  for (const leg of legs.reverse()) {
    const asked = String(leg['params'].message).slice('Who is '.length, -1);
    await peer.answer(leg, { action: 'accept', content: { name: asked } });
  }
  await Promise.all(calls.map((call) => streams.post(call + 1).ended));
  return calls.flatMap((call) => {
    const [leg, answer, ...others] = streams.post(call + 1).messages;
    const isOwn =
      leg?.['params'].message === `Who is ${name(call)}?` &&
      answer?.['id'] === call + 1 &&
      textOf(answer) === `accept ${name(call)}` &&
      others.length === 0;
    return isOwn ? [] : [`${name(call)}: ${JSON.stringify(streams.post(call + 1).messages)}`];
  });
}

/** A modern client that is asked and answers, again and again, with the same ids as the sessions. */
async function playModern(endpoint: Endpoint, number: number): Promise<readonly string[]> {
  const wrong: string[] = [];
  const caller = `app/modern-${number}`;
  const send = async (params: Json, id: number): Promise<Json> => {
    const request = modern('tools/call', { name: 'ask', ...params }, { id, capabilities: { elicitation: {} } });
    return (await (await endpoint.send({ ...request, caller })).json()) as Json;
  };
  for (let call = 0; call < CALLS; call += 1) {
    const args = { arguments: { question: `Who is m${number}.${call}?` } };
    const ask = await send(args, call + 1);
    const { inputRequests, requestState } = ask['result'];
    const name = inputRequests?.who.params.message.slice('Who is '.length, -1);
    const inputResponses = { who: { action: 'accept', content: { name } } };
    const retry = { ...args, inputResponses, ...(requestState === undefined ? {} : { requestState }) };
    const answer = await send(retry, call + 1);
    const isOwn = ask['id'] === call + 1 && answer['id'] === call + 1;
    if (!isOwn || textOf(answer) !== `accept m${number}.${call}`) wrong.push(JSON.stringify([ask, answer]));
  }
  return wrong;
}

describe.each(FACES)('[M3j] many sessions and many modern clients at once (through %s)', (face) => {
  it('each see their own messages, and nothing else', async () => {
    const endpoint = await openEndpoint({}, { face });
    const numbers = Array.from({ length: SESSIONS }, (_, number) => number);
    const wrong = await Promise.all(
      numbers.flatMap((number) => [playSession(endpoint, number), playModern(endpoint, number)]),
    );
    expect(wrong.flat()).toEqual([]);
    expect(endpoint.runs).toHaveLength(2 * 2 * SESSIONS * CALLS);
    expect(endpoint.handler.stats()).toMatchObject({ ...NOTHING, sessions: SESSIONS });
  });
});
