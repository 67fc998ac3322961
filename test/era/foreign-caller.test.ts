import type { InputRequiredOptions } from 'mcp-dual-era';
import { describe, expect, it } from 'vitest';
import { ADA, ALL_CAPABILITIES, ask, form, told } from '../support/asks.ts';
import type { Json } from '../support/json.ts';
import { settle } from '../support/manual-clock.ts';
import type { Opened } from '../support/open.ts';
import { HTTP_TRANSPORTS, openHttpSession } from '../support/open-http.ts';
import { connectPeer } from '../support/own-server.ts';
import type { Peer } from '../support/peer.ts';
import { createScriptServer, scriptParams } from '../support/script-server.ts';

const CAPABLE = { capabilities: ALL_CAPABILITIES };
const TRANSPORTS = ['memory', ...HTTP_TRANSPORTS] as const;
type Options = Omit<InputRequiredOptions, 'onEvent'>;

async function open(
  transport: (typeof TRANSPORTS)[number],
  options: Options = {},
): Promise<Pick<Opened, 'peer' | 'events' | 'runs'>> {
  if (transport !== 'memory') return openHttpSession(transport, CAPABLE, { options });
  const opened: Pick<Opened, 'events' | 'runs'> = { events: [], runs: [] };
  const server = createScriptServer(
    { options },
    { event: (event) => opened.events.push(event), run: (run) => opened.runs.push(run) },
  );
  return { ...opened, peer: await connectPeer(server, CAPABLE) };
}

const as = (caller: string): Record<string, string> => ({ 'x-test-caller': caller });

async function callAs(peer: Peer, caller: string | undefined): Promise<number> {
  const params = scriptParams('tools/call', [ask({ who: form() })]);
  await peer.send({ jsonrpc: '2.0', id: 7, method: 'tools/call', params }, caller === undefined ? {} : as(caller));
  return 7;
}

const cancellation = (requestId: number): Json => ({
  jsonrpc: '2.0',
  method: 'notifications/cancelled',
  params: { requestId },
});

describe.each(TRANSPORTS)('an answer from another caller (%s)', (transport) => {
  it.each([
    ['another client', 'app/ada', 'other/ada'],
    ['another subject', 'app/ada', 'app/eve'],
    ['no subject', 'app/ada', 'app'],
    ['a subject where the call had none', 'app', 'app/eve'],
    ['nobody', 'app/ada', undefined],
    ['somebody where the call was of nobody', undefined, 'app/eve'],
  ])('is ignored, and the right one can still answer: %s', async (_name, caller, other) => {
    const { peer, events, runs } = await open(transport);
    await callAs(peer, caller);
    const leg = await peer.next();
    const before = events.length;
    await peer.answer(leg, { action: 'accept', content: { name: 'Eve' } }, other === undefined ? {} : as(other));
    await settle();
    expect(events.slice(before)).toEqual([{ type: 'foreign-answer' }]);
    expect(runs).toEqual(['script']);
    await peer.answer(leg, ADA, caller === undefined ? {} : as(caller));
    expect(told(await peer.next())['responses']).toEqual({ who: ADA });
  });

  it('is ignored when it is an error', async () => {
    const { peer, events } = await open(transport);
    await callAs(peer, 'app/ada');
    const leg = await peer.next();
    await peer.send({ jsonrpc: '2.0', id: leg['id'], error: { code: -1, message: 'no' } }, as('app/eve'));
    await settle();
    expect(events.at(-1)).toEqual({ type: 'foreign-answer' });
    await peer.answer(leg, ADA, as('app/ada'));
    expect(told(await peer.next())['responses']).toEqual({ who: ADA });
  });
});

describe.each(TRANSPORTS)('a cancellation from another caller (%s)', (transport) => {
  it('is ignored, and the right one can still answer', async () => {
    const { peer, events } = await open(transport);
    const id = await callAs(peer, 'app/ada');
    const leg = await peer.next();
    const before = events.length;
    await peer.send(cancellation(id), as('app/eve'));
    await settle();
    expect(events.slice(before)).toEqual([{ type: 'foreign-answer' }]);
    await peer.answer(leg, ADA, as('app/ada'));
    expect(told(await peer.next())['responses']).toEqual({ who: ADA });
  });

  it('is ignored, and the right one can still cancel', async () => {
    const { peer, runs } = await open(transport);
    const id = await callAs(peer, 'app/ada');
    const leg = await peer.next();
    await peer.send(cancellation(id), as('other/ada'));
    await settle();
    await peer.send(cancellation(id), as('app/ada'));
    expect((await peer.next())['params'].requestId).toBe(leg['id']);
    expect(runs).toEqual(['script']);
  });
});

describe('the subject option', () => {
  const byTenant = (authInfo: { clientId: string; extra?: unknown }): string =>
    String((authInfo.extra as Json)['sub'])[0] ?? '';

  it('says who the caller is, beside the client id', async () => {
    const { peer, events } = await open('memory', { subject: byTenant });
    await callAs(peer, 'app/ada');
    const leg = await peer.next();
    await peer.answer(leg, ADA, as('app/eve'));
    expect(events.at(-1)).toEqual({ type: 'foreign-answer' });
    await peer.answer(leg, ADA, as('other/ada'));
    expect(events.at(-1)).toEqual({ type: 'foreign-answer' });
    await peer.answer(leg, ADA, as('app/alan'));
    expect(told(await peer.next())['responses']).toEqual({ who: ADA });
  });

  it('denies the ask when it throws (F42)', async () => {
    const subject = (): string => {
      throw new Error('no directory');
    };
    const { peer, events, runs } = await open('memory', { subject });
    await callAs(peer, 'app/ada');
    const answer = await peer.next();
    expect(answer['error']).toEqual({
      code: -32603,
      message: 'tools/call cannot ask: the caller is denied, because the subject option threw or returned no string',
    });
    expect(events.map(({ type }) => type)).toEqual(['error']);
    expect(runs).toEqual(['script']);
  });

  it('denies the ask when it returns no string', async () => {
    const { peer } = await open('memory', { subject: (() => 7) as never });
    await callAs(peer, 'app/ada');
    expect((await peer.next())['error'].code).toBe(-32603);
  });

  it('denies an answer when it throws (F42)', async () => {
    let isDown = false;
    const subject = (): string => {
      if (isDown) throw new Error('no directory');
      return 'ada';
    };
    const { peer, events, runs } = await open('memory', { subject });
    await callAs(peer, 'app/ada');
    const leg = await peer.next();
    isDown = true;
    await peer.answer(leg, ADA, as('app/ada'));
    await settle();
    expect(events.at(-1)).toEqual({ type: 'foreign-answer' });
    expect(runs).toEqual(['script']);
    isDown = false;
    await peer.answer(leg, ADA, as('app/ada'));
    expect(told(await peer.next())['responses']).toEqual({ who: ADA });
  });

  it('is not called for a caller that the transport did not authenticate', async () => {
    const subject = (): string => {
      throw new Error('no directory');
    };
    const { peer } = await open('memory', { subject });
    await callAs(peer, undefined);
    await peer.answer(await peer.next(), ADA);
    expect(told(await peer.next())['responses']).toEqual({ who: ADA });
  });
});
