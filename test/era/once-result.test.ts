import { once } from 'mcp-dual-era';
import { expect, it } from 'vitest';
import { connectPeer, said, toolServer } from '../support/own-server.ts';

it.each<[unknown, string]>([
  [() => 1, 'a function'],
  [Symbol('paid'), 'Symbol(paid)'],
])('the result of once is refused where it is no JSON value, and may come the next time: %s', async (result, got) => {
  const results = [result, 'paid'];
  const { server } = toolServer(async (extra) => {
    const effect = () => results.shift() as string;
    const mistake = await once(extra, 'charge', effect).catch((error: unknown) => String(error));
    return said(`${mistake}, then ${await once(extra, 'charge', effect)}`);
  });
  const peer = await connectPeer(server, { capabilities: {} });
  await peer.callTool('tool');
  const text = `TypeError: The result of once must be a JSON value, got ${got}, then paid`;
  expect((await peer.next())['result']).toEqual({ content: [{ type: 'text', text }] });
});
