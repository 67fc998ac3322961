import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { accept, disconnect, later, never, runOnBothEras, type TestFactory } from 'mcp-dual-era/testing';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { callOf, playFactory } from './play-factory.ts';
import { askName } from './questions.ts';

/** The real timers that are set from here on and not cleared. */
function watchTimers(): () => unknown[] {
  const set = vi.spyOn(globalThis, 'setTimeout');
  const cleared = vi.spyOn(globalThis, 'clearTimeout');
  onTestFinished(() => {
    set.mockRestore();
    cleared.mockRestore();
  });
  return () => {
    const gone = new Set<unknown>(cleared.mock.calls.map(([timer]) => timer));
    expect(set).toHaveBeenCalled();
    return set.mock.results.map(({ value }) => value).filter((timer) => !gone.has(timer));
  };
}

const listeners = (): number[] => [process.listenerCount('exit'), process.stdin.listenerCount('end')];

// That no timer is left on a clock, and no server connected, is looked at after every test of the kit: see playFactory.
describe('a run leaves nothing behind', () => {
  it.each([
    ['after a result', accept({ name: 'Ada' })],
    ['after nobody answered', never()],
    ['after a late answer', later(600_000, accept({ name: 'Ada' }))],
    ['after a disconnect', disconnect()],
  ])('%s: no real timer, and no listener on the process', async (_name, answer) => {
    const before = listeners();
    const left = watchTimers();
    const { factory } = playFactory(askName);
    await runOnBothEras(factory, { request: callOf(), answers: [answer] });
    expect(left()).toEqual([]);
    expect(listeners()).toEqual(before);
  });

  it('of a server that never closes, whatever its close waits for', async () => {
    const { factory } = playFactory(askName);
    const stubborn: TestFactory = async (context) => {
      const server = (await factory(context)) as McpServer;
      server.close = () => new Promise(() => undefined);
      return server;
    };
    const script = { request: callOf(), answers: [accept({ name: 'Ada' })], timeout: 100 };
    expect((await runOnBothEras(stubborn, script)).differences).toEqual([]);
  });

  it('and does not so much as look at stdin', async () => {
    const stdin = vi.spyOn(process, 'stdin', 'get');
    onTestFinished(() => stdin.mockRestore());
    const { factory } = playFactory(askName);
    await runOnBothEras(factory, { request: callOf(), answers: [accept({ name: 'Ada' })] });
    expect(stdin).not.toHaveBeenCalled();
  });

  it('of a handler that never ends', async () => {
    const { factory } = playFactory(() => new Promise(() => undefined));
    await expect(runOnBothEras(factory, { request: callOf(), timeout: 30 })).rejects.toThrow('within 30 ms');
  });
});
