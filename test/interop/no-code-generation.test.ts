import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { outcomeOf } from '../support/asks.ts';
import { spawnServer } from '../support/spawn-server.ts';

const SERVER = fileURLToPath(new URL('no-code-generation-server.ts', import.meta.url));

async function open() {
  const { peer, close } = spawnServer(SERVER, [], ['--disallow-code-generation-from-strings']);
  const params = {
    protocolVersion: '2025-11-25',
    capabilities: { elicitation: {} },
    clientInfo: { name: 'c', version: '1' },
  };
  await peer.request('initialize', params, 0);
  expect(await peer.next(30_000)).toMatchObject({ id: 0, result: {} });
  return { peer, close };
}

describe('[F45] where code cannot be generated from strings', () => {
  it('a question is asked, its answer is checked, and the handler runs again', async () => {
    const { peer, close } = await open();
    await peer.callTool('x');
    const first = await peer.next();
    expect(first['params'].message).toBe('When?');
    await peer.answer(first, { action: 'accept', content: { mail: 'no', when: '2026-02-30', colors: ['green'] } });
    const second = await peer.next();
    await peer.answer(second, {
      action: 'accept',
      content: { mail: 'a@b.org', when: '2026-02-28', colors: ['red', 'blue'] },
    });
    expect((await peer.next())['result'].content[0].text).toBe('a@b.org 2026-02-28 red,blue');

    await peer.callTool('x');
    await peer.answerError(await peer.next(), -32601);
    expect(outcomeOf(await peer.next())).toMatchObject({ reason: 'client-error', code: -32601 });
    await close();
  }, 60_000);

  it('so are a zod object and a form(), for each of which the answer is parsed', async () => {
    const { peer, close } = await open();
    for (const name of ['zod', 'form']) {
      await peer.callTool(name);
      for (const count of [0, 9]) {
        const leg = await peer.next();
        expect(leg['params'].message).toBe(name);
        await peer.answer(leg, { action: 'accept', content: { mail: 'a@b.org', count } });
      }
      await peer.answer(await peer.next(), { action: 'accept', content: { mail: 'a@b.org' } });
      expect((await peer.next())['result'].content[0].text).toBe('a@b.org 2');
    }
    await close();
  }, 60_000);
});
