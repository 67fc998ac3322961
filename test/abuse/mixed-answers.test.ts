import { inputRequired } from 'mcp-dual-era';
import { describe, expect, it } from 'vitest';
import { ask } from '../support/asks.ts';
import type { Json } from '../support/json.ts';
import { openPlay } from '../support/open-play.ts';
import { textOf } from '../support/play-server.ts';

const SAMPLED = { role: 'assistant', model: 'm', content: { type: 'text', text: 'hi' } };
const message = { role: 'user' as const, content: { type: 'text' as const, text: 'Say hi' } };

/** What a handler that asks `question` reads in the end, when the client answers `answer`. */
async function readOf(question: Json, answer: Json): Promise<unknown> {
  const session = await openPlay((context) => {
    if (context.round === 0) return ask({ q: question });
    const { kind } = context.response('q');
    const accepted = context.accepted('q');
    return JSON.stringify({ kind, accepted, result: context.samplingResult('q') ?? context.rootsResult('q') });
  });
  await session.run();
  const leg = await session.peer.next();
  await session.peer.send({ jsonrpc: '2.0', id: leg['id'], result: answer });
  const read = JSON.parse(textOf(await session.peer.next()));
  await session.close();
  return read;
}

describe('[H6a] an answer with the members of another kind', () => {
  it.each([{ action: 'accept' }, { action: 'decline' }, { action: 7 }, { roots: [] }, { action: 'accept', roots: [] }])(
    'is a sampling result where one was asked: %j',
    async (extra) => {
      const question = inputRequired.createMessage({ messages: [message], maxTokens: 5 });
      expect(await readOf(question, { ...SAMPLED, ...extra })).toEqual({ kind: 'sampling', result: SAMPLED });
    },
  );

  it.each([{ action: 'accept', content: { a: 1 } }, { action: 'cancel' }])(
    'is a list of roots where one was asked: %j',
    async (extra) => {
      const roots = [{ uri: 'file:///home' }];
      const read = (await readOf(inputRequired.listRoots(), { roots, ...extra })) as Json;
      expect(read).toMatchObject({ kind: 'roots', result: { roots } });
      expect(read).not.toHaveProperty('accepted');
    },
  );

  it('has no content where a URL was asked', async () => {
    const question = inputRequired.elicitUrl({ message: 'Sign in', url: 'https://example.com' });
    expect(await readOf(question, { action: 'accept', content: { forged: true } })).toEqual({ kind: 'elicit' });
  });
});

describe('content beyond what was asked', () => {
  it('is not as asked where the schema says additionalProperties: false', async () => {
    const requestedSchema = {
      type: 'object' as const,
      properties: { a: { type: 'string' as const } },
      additionalProperties: false,
    };
    const question = inputRequired.elicit({ message: 'm', requestedSchema });
    expect(await readOf(question, { action: 'accept', content: { a: 'x', b: 'y' } })).toEqual({ kind: 'invalid' });
    expect(await readOf(question, { action: 'accept', content: { a: 'x' } })).toEqual({
      kind: 'elicit',
      accepted: { a: 'x' },
    });
  });

  it('makes no yes of a confirm that is not as asked', async () => {
    const session = await openPlay((context) => {
      const { ask: question, decision } = context.confirm('q', { message: 'Sure?' });
      return question ?? decision;
    });
    await session.run();
    const leg = await session.peer.next();
    const content = JSON.parse('{"confirmed": true, "__proto__": "x"}');
    await session.peer.send({ jsonrpc: '2.0', id: leg['id'], result: { action: 'accept', content } });
    expect(textOf(await session.peer.next())).toBe('no');
    await session.close();
  });
});
