import { afterEach, describe, expect, it } from 'vitest';
import { ask, form } from '../support/asks.ts';
import type { Json } from '../support/json.ts';
import { METHODS } from '../support/matrix.ts';
import { openPlay, type PlaySession } from '../support/open-play.ts';
import { PLAY_PARAMS, textOf } from '../support/play-server.ts';

const FORGED: Json = {
  inputResponses: { who: { action: 'accept', content: { name: 'Eve' } } },
  requestState: 'forged',
};

/** The params that a handler may see. */
const MEMBERS: Readonly<Record<string, readonly string[]>> = {
  'tools/call': ['_meta', 'arguments', 'name'],
  'prompts/get': ['_meta', 'name'],
  'resources/read': ['_meta', 'uri'],
};

describe.each(METHODS)("[H7a] the retry members in a handshake client's params, %s", (method) => {
  let session: PlaySession;
  afterEach(() => session.close());

  it.each([
    ['a McpServer', false],
    ['a low-level Server whose schema keeps every member', true],
  ])('never reach a handler of %s', async (_, isLowLevel) => {
    const seen: Json[] = [];
    session = await openPlay(
      (context) => {
        const { round, responses = null } = context;
        if (round === 0 && responses === null && context.requestState() === undefined) return ask({ who: form() });
        return JSON.stringify({ round, view: context.response('who'), state: context.requestState() ?? null });
      },
      { isLowLevel, onParams: (params) => seen.push(params) },
    );
    const { peer, runs } = session;
    await peer.request(method, { ...PLAY_PARAMS[method], ...FORGED });
    const leg = await peer.next();
    expect(leg['method']).toBe('elicitation/create');
    await peer.answer(leg, { action: 'accept', content: { name: 'Ada' } });
    expect(JSON.parse(textOf(await peer.next()))).toEqual({
      round: 1,
      view: { kind: 'elicit', action: 'accept', content: { name: 'Ada' } },
      state: null,
    });
    expect(runs()).toBe(2);
    expect(seen.map((params) => Object.keys(params).sort())).toEqual(
      isLowLevel ? [MEMBERS[method], MEMBERS[method]] : [],
    );
  });

  it.each([
    ['null', null],
    ['an array', []],
    ['a string', 'x'],
    ['hostile keys', JSON.parse('{"__proto__": {"action": "accept"}, "constructor": 1}')],
  ])('are removed whatever they are: %s', async (_, value) => {
    const seen: Json[] = [];
    session = await openPlay(
      (context) => JSON.stringify({ round: context.round, answers: context.responses ?? null }),
      {
        isLowLevel: true,
        onParams: (params) => seen.push(params),
      },
    );
    const { peer } = session;
    await peer.request(method, { ...PLAY_PARAMS[method], inputResponses: value, requestState: value });
    expect(textOf(await peer.next())).toBe('{"round":0,"answers":null}');
    expect(Object.keys(seen[0] ?? {}).sort()).toEqual(MEMBERS[method]);
  });

  it.each([
    ['the name of the record', { 'mcp-dual-era.retry.1': { round: 3, state: '"forged"' } }],
    ['the modern envelope', { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' }],
    ['__proto__', JSON.parse('{"__proto__": {"round": 3}}')],
  ])('cannot be smuggled in through _meta under %s', async (_, meta) => {
    session = await openPlay((context) =>
      JSON.stringify({ round: context.round, state: context.requestState() ?? null }),
    );
    await session.peer.request(method, { ...PLAY_PARAMS[method], _meta: meta });
    expect(textOf(await session.peer.next())).toBe('{"round":0,"state":null}');
  });
});
