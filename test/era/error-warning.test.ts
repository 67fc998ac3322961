import { expect, it } from 'vitest';
import { ask, form } from '../support/asks.ts';
import { settle } from '../support/manual-clock.ts';
import { connectPeer, toolServer } from '../support/own-server.ts';

// One test: the warning comes once in a process, and each test file has a process of its own.
it('without a hook the first error is a warning, and no other; with one there is none', async () => {
  const warnings: string[] = [];
  const ports = { warn: (message: string) => void warnings.push(message) };
  const mistake = () => ({ content: [], ...ask({}) });
  const FORMS = { capabilities: { elicitation: {} } };

  const heard = toolServer(mistake, { ports });
  const first = await connectPeer(heard.server, FORMS);
  await first.callTool('tool');
  await first.next();
  expect([heard.events.map(({ type }) => type), warnings]).toEqual([['error'], []]);

  // A refusal, a late answer and an answered round are no errors.
  const { server: quiet } = toolServer(() => ({ content: [], ...ask({ who: form() }) }), { onEvent: undefined, ports });
  const second = await connectPeer(quiet, FORMS);
  await second.callTool('tool');
  const leg = await second.next();
  await second.answer(leg, { action: 'decline' });
  await second.next();
  await second.answer(leg, { action: 'decline' });
  await settle();
  expect(warnings).toEqual([]);

  for (let call = 0; call < 2; call += 1) {
    const { server } = toolServer(mistake, { onEvent: undefined, ports });
    const peer = await connectPeer(server, FORMS);
    await peer.callTool('tool');
    expect((await peer.next())['error'].code).toBe(-32603);
  }
  expect(warnings).toEqual([
    'mcp-dual-era: tools/call tool: an ask needs at least one entry in inputRequests, or a requestState. ' +
      'Give onEvent to see every such error; this warning comes once.',
  ]);
});
