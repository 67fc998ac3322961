import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createConfirmServer } from '../support/confirm-server.ts';
import type { Peer } from '../support/peer.ts';
import { serveFactory } from '../support/serve-factory.ts';
import { spawnServer } from '../support/spawn-server.ts';

const SERVER = fileURLToPath(new URL('../support/confirm-server-stdio.ts', import.meta.url));

async function connect(transport: 'stdio' | 'http'): Promise<Peer> {
  if (transport === 'stdio') {
    const { peer, close } = spawnServer(SERVER);
    onTestFinished(close);
    return peer;
  }
  const served = await serveFactory(createConfirmServer);
  onTestFinished(() => served.close());
  return served.connect().peer;
}

describe.each(['stdio', 'http'] as const)('[A9] a confirmation over %s', (transport) => {
  it('is a yes only after an explicit accepted yes', async () => {
    const peer = await connect(transport);
    await peer.handshake({ capabilities: { elicitation: {} } });
    const answers = [
      { action: 'accept', content: { confirmed: true } },
      { action: 'accept', content: { confirmed: false } },
      { action: 'accept', content: {} },
      { action: 'accept' },
      { action: 'cancel' },
    ];
    const ends = [];
    for (const answer of answers) {
      await peer.callTool('erase');
      const leg = await peer.next();
      expect(leg['params'].message).toBe('Erase all 12 files?');
      await peer.answer(leg, answer);
      ends.push((await peer.next())['result'].content[0].text);
    }
    expect(ends).toEqual(['erased', 'kept', 'kept', 'kept', 'kept']);
  }, 60_000);
});
