import { createHolds } from 'mcp-dual-era';
import { describe, expect, it, vi } from 'vitest';
import { ADA, ASKABLE, FACES, openEndpoint } from '../serve/session-endpoint.ts';
import { openStdio } from '../serve/session-stdio.ts';
import { outcomeOf } from '../support/asks.ts';
import type { Json } from '../support/json.ts';

describe.each(FACES)('the serving entry (%s)', (face) => {
  it('holds 1 000 calls, has 100 wait, and refuses the next', async () => {
    const { handler, open } = await openEndpoint({}, { face });
    const { peer } = await open();
    await Promise.all(Array.from({ length: 1_101 }, () => peer.callTool('ask')));
    await vi.waitFor(
      () => expect(handler.stats().holds).toMatchObject({ held: 1_000, queued: 100, refused: 1 }),
      20_000,
    );
    const messages = await Promise.all(Array.from({ length: 1_001 }, () => peer.next()));
    const refused = messages.filter((message) => !('method' in message));
    expect(refused.map(outcomeOf)).toMatchObject([{ reason: 'busy' }]);
    // Those that wait come in when others leave.
    const [leg] = messages.filter((message) => 'method' in message);
    await peer.answer(leg ?? {}, ADA);
    await vi.waitFor(() => expect(handler.stats().holds).toMatchObject({ held: 1_000, queued: 99 }));
  });

  it('tells the calls that a drain ended before close ends their streams', async () => {
    const holds = createHolds();
    const { handler, open } = await openEndpoint({ inputRequired: { holds } }, { face });
    const { peer } = await open();
    const id = await peer.callTool('ask');
    await peer.next();
    expect(await holds.drain(0)).toEqual({ finished: 0, ended: 1 });
    await handler.close();
    const told = await peer.rest(100);
    expect(outcomeOf(told.find((message) => message['id'] === id) ?? {})).toMatchObject({ reason: 'busy' });
  });

  it('takes the holds it is given, and tells of them', async () => {
    const holds = createHolds({ max: 1 });
    const { handler, open } = await openEndpoint({ inputRequired: { holds } }, { face });
    const { peer } = await open();
    await peer.callTool('ask');
    await peer.next();
    await peer.callTool('ask');
    expect(outcomeOf(await peer.next())).toMatchObject({ reason: 'busy' });
    expect(handler.stats().holds).toMatchObject({ held: 1, refused: 1 });
    expect(handler.stats().holds.held).toBe(holds.stats().held);
  });
});

it('serveStdio holds 1 000 calls, has 100 wait, and refuses the next', async () => {
  const { peer } = openStdio();
  await peer.handshake(ASKABLE);
  for (let call = 0; call < 1_101; call += 1) await peer.callTool('ask');
  const messages: Json[] = [];
  for (let message = 0; message < 1_001; message += 1) messages.push(await peer.next());
  const refused = messages.filter((message) => !('method' in message));
  expect(refused.map(outcomeOf)).toMatchObject([{ reason: 'busy' }]);
  await peer.answer(messages.find((message) => 'method' in message) ?? {}, ADA);
  const after = [await peer.next(), await peer.next()];
  expect(after.filter((message) => message['method'] === 'elicitation/create')).toHaveLength(1);
});
