import { createHolds, inputContext, inputRequired, withInputRequiredShim } from 'mcp-dual-era';
import { describe, expect, it } from 'vitest';
import { ADA, form } from '../support/asks.ts';
import { connectPeer } from '../support/own-server.ts';
import { sdkNamed } from '../support/sdk.ts';
import { CAPABLE } from './open-held.ts';

describe.each(['newest', 'oldest'] as const)('a handler that crashes in a held call (%s SDK v1)', (sdk) => {
  it.each([
    ['tools/call', 'answered'],
    ['prompts/get', 'server-error'],
  ])('gives its place back: %s', async (method, outcome) => {
    const holds = createHolds({ max: 1 });
    const server = new (sdkNamed(sdk).McpServer)({ name: 'x', version: '1' });
    const crash = (extra: { _meta?: object | undefined }) => {
      if (inputContext(extra).round > 0) throw new Error('boom');
      return inputRequired({ inputRequests: { who: form() as never } });
    };
    server.registerTool('crash', {}, crash);
    server.registerPrompt('crash', {}, crash);
    const peer = await connectPeer(withInputRequiredShim(server, { holds }), CAPABLE, sdk);
    for (const calls of [1, 2]) {
      await peer.request(method, { name: 'crash' });
      await peer.answer(await peer.next(), ADA);
      expect(JSON.stringify(await peer.next())).toContain('boom');
      expect(holds.stats()).toMatchObject({ held: 0, openLegs: 0, calls, refused: 0, outcomes: { [outcome]: calls } });
    }
  });
});
