import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ADA, ask, form, ROOTS, roots, SAMPLED, sampling, url } from '../support/asks.ts';
import type { Json } from '../support/json.ts';
import { settle } from '../support/manual-clock.ts';
import { expectNothingLeft, openPlay, type PlaySession } from '../support/open-play.ts';
import { textOf } from '../support/play-server.ts';

const ASKED: Readonly<Record<string, Json>> = { form: form(), url: url(), sampling: sampling(), roots: roots() };
const TEXT = { type: 'text', text: 'short' };

/** Answers without the shape of their kind, by the kind that was asked. */
const MALFORMED: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  form: {
    null: null,
    'an array': [],
    'a string': 'accept',
    'a number': 1,
    true: true,
    'an empty object': {},
    'an unknown action': { action: 'ok' },
    'an action in capitals': { action: 'ACCEPT', content: { name: 'Ada' } },
    'an action that is no string': { action: ['accept'], content: { name: 'Ada' } },
    'an inherited action': Object.create({ action: 'accept', content: { name: 'Ada' } }),
    'content that is an array': { action: 'accept', content: ['Ada'] },
    'content that is a string': { action: 'accept', content: 'Ada' },
    'content that is a number': { action: 'accept', content: 5 },
    'a content member that is null': { action: 'accept', content: { name: null } },
    'a content member that is an object': { action: 'accept', content: { name: { first: 'Ada' } } },
    'a content member that is a list of numbers': { action: 'accept', content: { name: [1] } },
    'a content member that is not finite': { action: 'accept', content: { name: Number.NaN } },
    'a sampling result': SAMPLED,
    'a roots result': ROOTS,
    'a method and a result': { method: 'elicitation/create', result: ADA },
  },
  url: {
    null: null,
    'an empty object': {},
    'an unknown action': { action: 'opened' },
  },
  sampling: {
    null: null,
    'an array': [SAMPLED],
    'an elicitation result': ADA,
    'no role': { model: 'm', content: TEXT },
    'an unknown role': { role: 'system', model: 'm', content: TEXT },
    'no model': { role: 'assistant', content: TEXT },
    'a model that is no string': { role: 'assistant', model: 4, content: TEXT },
    'no content': { role: 'assistant', model: 'm' },
    'content that is null': { role: 'assistant', model: 'm', content: null },
    'content that is a string': { role: 'assistant', model: 'm', content: 'short' },
    'a block of no known type': { role: 'assistant', model: 'm', content: { type: 'video', text: 'x' } },
    'a text block without text': { role: 'assistant', model: 'm', content: { type: 'text' } },
    'an image block without its type': { role: 'assistant', model: 'm', content: { type: 'image', data: 'x' } },
    'a tool_use block without input': {
      role: 'assistant',
      model: 'm',
      content: { type: 'tool_use', id: '1', name: 'x' },
    },
    'a list with one bad block': { role: 'assistant', model: 'm', content: [TEXT, { type: 'text', text: 5 }] },
  },
  roots: {
    null: null,
    'an array': [],
    'no roots': {},
    'roots that are null': { roots: null },
    'roots that are an object': { roots: { uri: 'file:///a' } },
    'a root that is null': { roots: [null] },
    'a root that is a string': { roots: ['file:///a'] },
    'a root without a URI': { roots: [{ name: 'a' }] },
    'a URI that is a number': { roots: [{ uri: 1 }] },
    'an http URI': { roots: [{ uri: 'https://example.com/' }] },
    'one good root and one bad': { roots: [{ uri: 'file:///a' }, { uri: 'ftp://b' }] },
    'a name that is a number': { roots: [{ uri: 'file:///a', name: 5 }] },
  },
};

describe.each(Object.keys(MALFORMED))('[H6a] an answer to a question of kind %s that has not its shape', (kind) => {
  let session: PlaySession;
  beforeEach(async () => {
    session = await openPlay((context) => {
      if (context.round === 0) return ask({ q: ASKED[kind] });
      const readers = [context.elicitResult('q'), context.samplingResult('q'), context.rootsResult('q')];
      const seen = readers.filter((reading) => reading !== undefined).length;
      const { responses = null } = context;
      return JSON.stringify({ responses, seen, accepted: context.accepted('q') ?? null, view: context.response('q') });
    });
  });
  afterEach(() => session.close());

  it.each(Object.entries(MALFORMED[kind] ?? {}))(
    'reads as absent, and the handler runs again: %s',
    async (_, result) => {
      const { peer, near, events, run, runs } = session;
      await run();
      const leg = await peer.next();
      // Past the peer, which clones what it sends as JSON would: some of these cannot come out of JSON.
      await near.send({ jsonrpc: '2.0', id: leg['id'], result: result as never });
      expect(JSON.parse(textOf(await peer.next()))).toEqual({
        responses: null,
        seen: 0,
        accepted: null,
        view: { kind: 'failed', reason: 'malformed' },
      });
      expect(runs()).toBe(2);
      expect(events.filter(({ type }) => type === 'leg-end')).toMatchObject([{ outcome: 'malformed' }]);
      await expectNothingLeft(session);
    },
  );
});

describe('an error answer of a wrong shape', () => {
  let session: PlaySession;
  beforeEach(async () => {
    session = await openPlay(() => ask({ q: form() }));
  });
  afterEach(() => session.close());

  const outcome = { method: 'tools/call', target: 'play', round: 1, reason: 'client-error', key: 'q' };
  it.each([
    [
      'both a result and an error',
      { result: ADA, error: { code: -32000, message: 'no' } },
      { ...outcome, code: -32000 },
    ],
    ['an error without a code', { error: { message: 'no' } }, outcome],
    ['an error whose code is a string', { error: { code: '-1', message: 'no' } }, outcome],
    ['an error whose code is a fraction', { error: { code: 1.5, message: 'no' } }, outcome],
    ['an error that is a string', { error: 'no' }, outcome],
    ['an error that is null', { error: null }, outcome],
    ['a null error beside a result', { result: ADA, error: null }, outcome],
  ])('ends the call, and is never taken for consent: %s', async (_, members, expected) => {
    const { peer, run, runs } = session;
    await run();
    const leg = await peer.next();
    await peer.send({ jsonrpc: '2.0', id: leg['id'], ...members });
    const answer = await peer.next();
    expect(answer['result']).toMatchObject({ isError: true, _meta: { 'mcp-dual-era/outcome': expected } });
    expect(runs()).toBe(1);
    await expectNothingLeft(session);
  });

  it('with neither a result nor an error is no answer: the dialog stays open for one', async () => {
    const { peer, run } = session;
    await run();
    const leg = await peer.next();
    await peer.send({ jsonrpc: '2.0', id: leg['id'] });
    await settle();
    await peer.answer(leg, { action: 'decline' });
    expect((await peer.next())['result']._meta['mcp-dual-era/outcome'].reason).toBe('declined');
    await expectNothingLeft(session);
  });
});
