import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { Changes } from '../../packages/shim/src/host/changes.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { openStream, type Script, serveScript } from './scripted-server.ts';

const DISCOVERED = { capabilities: { tools: { listChanged: true }, resources: { subscribe: true } } };

/** Listens to a server whose streams end at once, or are refused, as `answer` says of each. */
async function listening(answer: (count: number) => 'ends' | 'refuses' | 'stays') {
  const script: Script = ({ id, method, params }, response, count) => {
    if (method !== 'subscriptions/listen') return undefined;
    const how = answer(count);
    if (how === 'refuses') return { error: { code: -32603, message: 'not now' } };
    const send = openStream(response);
    const _meta = { 'io.modelcontextprotocol/subscriptionId': id };
    const { notifications } = params;
    send({ method: 'notifications/subscriptions/acknowledged', params: { _meta, notifications } });
    if (how === 'ends') response.end();
    return undefined;
  };
  const server = await serveScript(script, DISCOVERED);
  const engine = new Client({ name: 'engine', version: '1' }, { versionNegotiation: { mode: { pin: '2026-07-28' } } });
  await engine.connect(new StreamableHTTPClientTransport(server.url));
  const clock = new ManualClock();
  const errors: Error[] = [];
  const changes = new Changes(engine, (error) => void errors.push(error), clock);
  onTestFinished(async () => {
    await changes.close();
    await engine.close();
    expect(clock.pending).toBe(0);
  });
  const listens = (): number => server.toldOf('subscriptions/listen').length;
  /** Waits until a timer is set, and moves time on by `ms`. */
  const elapse = async (ms: number): Promise<void> => {
    await vi.waitFor(() => expect(clock.pending).toBe(1));
    await clock.advance(ms);
  };
  return { changes, errors, listens, elapse, clock };
}

describe('a stream of changes that breaks off', () => {
  it('is opened again after a second, and after a second again where that worked', async () => {
    const { changes, listens, elapse } = await listening(() => 'ends');
    await changes.open();
    for (const count of [1, 2, 3]) {
      await vi.waitFor(() => expect(listens()).toBe(count));
      await elapse(999);
      expect(listens()).toBe(count);
      await elapse(1);
    }
    await vi.waitFor(() => expect(listens()).toBe(4));
  });

  it('is opened less and less often while it is refused, at least every 30 seconds, and onerror hears of it', async () => {
    const { changes, listens, errors, elapse } = await listening((count) => (count === 0 ? 'ends' : 'refuses'));
    await changes.open();
    const delays = [1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000];
    for (const [index, delay] of delays.entries()) {
      await elapse(delay - 1);
      expect(listens()).toBe(index + 1);
      await elapse(1);
      await vi.waitFor(() => expect(errors).toHaveLength(index + 1));
    }
    expect(errors.map(({ message }) => message).join()).toContain('not now');
  });

  it('is not opened again once it is closed', async () => {
    const { changes, listens, elapse, clock } = await listening(() => 'ends');
    await changes.open();
    await elapse(999);
    await changes.close();
    expect(clock.pending).toBe(0);
    await changes.subscribe('a:b');
    expect(listens()).toBe(1);
  });
});
