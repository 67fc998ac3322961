import { inputContext } from 'mcp-dual-era';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { ADA, ask, form, outcomeOf, told } from '../support/asks.ts';
import type { Json } from '../support/json.ts';
import { connectPeer, said, toolServer } from '../support/own-server.ts';
import type { Peer } from '../support/peer.ts';
import { clockSession, play } from '../support/session.ts';

const CAPABLE = { capabilities: { elicitation: {} } };
const STAGE = {
  type: 'object',
  properties: { stage: { type: 'string', enum: ['prod', 'test'] } },
  required: ['stage'],
};
const REPLICAS = { type: 'object', properties: { n: { type: 'integer', minimum: 1 } }, required: ['n'] };

async function answerAll(peer: Peer, answers: readonly Json[]) {
  for (let asked = 0; ; asked += 1) {
    const message = await peer.next();
    if (!('method' in message)) return { end: message, asked };
    await peer.answer(message, answers[asked] ?? answers.at(-1));
  }
}

const forever = (asked: Json): Json[] => Array.from({ length: 20 }, () => asked);

describe('a question with an unusable answer', () => {
  it.each([
    ['accept without content', form(), { action: 'accept' }, 'repeated-ask'],
    ['accept with content: null', form(), { action: 'accept', content: null }, 'repeated-ask'],
    ['a required field left out', form(), { action: 'accept', content: {} }, 'repeated-ask'],
    ['a field of the wrong type', form(), { action: 'accept', content: { name: 7 } }, 'repeated-ask'],
    [
      'a number below the minimum',
      form('How many?', REPLICAS),
      { action: 'accept', content: { n: 0 } },
      'repeated-ask',
    ],
    ['a choice not offered', form('Which?', STAGE), { action: 'accept', content: { stage: 'dev' } }, 'repeated-ask'],
    ['an action that is none', form(), { action: 'maybe' }, 'malformed'],
    ['a result that is no answer', form(), {}, 'malformed'],
    ['content that is no object', form(), { action: 'accept', content: 'Ada' }, 'malformed'],
  ])('is asked twice more, then the call ends: %s (F32, F33)', async (_name, question, answer, reason) => {
    const { peer, runs } = await clockSession(CAPABLE);
    await play(peer, forever(ask({ q: question })));
    const { end, asked } = await answerAll(peer, [answer]);
    expect(asked).toBe(3);
    expect(outcomeOf(end)).toEqual({ reason, method: 'tools/call', target: 'script', round: 4, key: 'q' });
    expect(runs).toHaveLength(4);
  });

  it('ends as the last answer was', async () => {
    const { peer } = await clockSession(CAPABLE);
    await play(peer, forever(ask({ q: form() })));
    const answers = [{ action: 'accept' }, { action: 'accept', content: {} }, { action: 'maybe' }];
    expect(outcomeOf((await answerAll(peer, answers)).end)).toMatchObject({ reason: 'malformed', round: 4 });
  });

  it('is counted anew after a usable answer', async () => {
    const { peer } = await clockSession(CAPABLE);
    await play(peer, forever(ask({ q: form() })));
    const bad = { action: 'accept', content: {} };
    const { end, asked } = await answerAll(peer, [bad, bad, ADA, bad, bad, bad]);
    expect(asked).toBe(6);
    expect(outcomeOf(end)).toMatchObject({ reason: 'repeated-ask', round: 7 });
  });

  it('counts on with another note', async () => {
    const { peer } = await clockSession(CAPABLE);
    const script = Array.from({ length: 20 }, (_value, turn) => {
      const question = form();
      if (turn > 0) question['params'].note = `Try ${turn + 1}.`;
      return ask({ q: question });
    });
    await play(peer, script);
    const { end, asked } = await answerAll(peer, [{ action: 'accept', content: {} }]);
    expect(asked).toBe(3);
    expect(outcomeOf(end)['reason']).toBe('repeated-ask');
  });

  it('ends at once when it is declined at last', async () => {
    const { peer } = await clockSession(CAPABLE);
    await play(peer, forever(ask({ q: form() })));
    const { end, asked } = await answerAll(peer, [{ action: 'accept' }, { action: 'decline' }]);
    expect(asked).toBe(2);
    expect(outcomeOf(end)).toMatchObject({ reason: 'declined', round: 3 });
  });

  it('is asked up to maxRounds with onRepeatedAsk: allow', async () => {
    const { peer } = await clockSession(CAPABLE, { options: { onRepeatedAsk: 'allow', maxRounds: 5 } });
    await play(peer, forever(ask({ q: form() })));
    const { end, asked } = await answerAll(peer, [{ action: 'maybe' }]);
    expect(asked).toBe(5);
    expect(outcomeOf(end)['reason']).toBe('rounds-exceeded');
  });

  it('is shown to the handler with its issues', async () => {
    const { peer } = await clockSession(CAPABLE);
    await play(peer, [ask({ q: form('How many?', REPLICAS) })]);
    const { end } = await answerAll(peer, [{ action: 'accept', content: { n: 0.5 } }]);
    expect(told(end)['views']).toEqual({
      q: { kind: 'invalid', issues: [{ path: 'n', message: 'must be a whole number' }] },
    });
  });
});

describe('a schema that an answer was read with', () => {
  const Name = z.object({ name: z.string().min(4) });

  function server(read: 'accepted' | 'response', schema?: typeof Name) {
    return toolServer((extra) => {
      const context = inputContext(extra);
      const name = context.accepted('who', read === 'accepted' ? schema : undefined)?.['name'];
      const response = context.response('who', read === 'response' ? schema : undefined);
      const isFine = read === 'accepted' ? name !== undefined : response.kind === 'elicit';
      return isFine ? said(`Hello ${name}`) : { content: [], ...ask({ who: form() }) };
    }).server;
  }

  it.each(['accepted', 'response'] as const)('counts an answer that fails it as unusable (%s)', async (read) => {
    const peer = await connectPeer(server(read, Name), CAPABLE);
    await peer.callTool('tool');
    const { end, asked } = await answerAll(peer, [ADA]);
    expect(asked).toBe(3);
    expect(outcomeOf(end)).toEqual({
      reason: 'repeated-ask',
      method: 'tools/call',
      target: 'tool',
      round: 4,
      key: 'who',
    });
  });

  it.each(['accepted', 'response'] as const)('lets an answer that it accepts end the asking (%s)', async (read) => {
    const peer = await connectPeer(server(read, Name), CAPABLE);
    await peer.callTool('tool');
    const grace = { action: 'accept', content: { name: 'Grace' } };
    const { end, asked } = await answerAll(peer, [ADA, grace]);
    expect(asked).toBe(2);
    expect(end['result'].content[0].text).toBe('Hello Grace');
  });
});
