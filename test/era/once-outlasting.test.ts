import { inputContext, once } from 'mcp-dual-era';
import { describe, expect, it } from 'vitest';
import { ADA, ask, form } from '../support/asks.ts';
import { settle } from '../support/manual-clock.ts';
import { connectPeer, said, toolServer } from '../support/own-server.ts';

/** A tool that begins an effect, asks, and awaits the effect with the answer; each effect is settled by hand. */
async function asked() {
  const effects: { resolve: (text: string) => void; reject: (error: Error) => void }[] = [];
  const effect = (): Promise<string> => new Promise((resolve, reject) => void effects.push({ resolve, reject }));
  const { server } = toolServer(async (extra) => {
    const charged = once(extra, 'charge', effect);
    if (inputContext(extra).round === 0) {
      charged.catch(() => undefined);
      return { content: [], ...ask({ who: form() }) };
    }
    return said(await charged.catch(() => once(extra, 'charge', effect)));
  });
  const peer = await connectPeer(server, { capabilities: { elicitation: {} } });
  await peer.callTool('tool');
  await peer.answer(await peer.next(), ADA);
  await settle();
  return { peer, effects };
}

describe('an effect that is under way as its run asks', () => {
  it('is not begun again by the next run, which gets its result', async () => {
    const { peer, effects } = await asked();
    expect(effects).toHaveLength(1);
    effects[0]?.resolve('paid');
    expect((await peer.next())['result']).toEqual({ content: [{ type: 'text', text: 'paid' }] });
  });

  it('may be begun again where it failed, once', async () => {
    const { peer, effects } = await asked();
    effects[0]?.reject(new Error('No connection'));
    await settle();
    expect(effects).toHaveLength(2);
    effects[1]?.resolve('paid');
    expect((await peer.next())['result']).toEqual({ content: [{ type: 'text', text: 'paid' }] });
  });
});
