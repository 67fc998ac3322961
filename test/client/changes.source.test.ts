import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { Changes } from '../../packages/shim/src/host/changes.ts';
import type { Json } from '../support/json.ts';
import { ManualClock, settle } from '../support/manual-clock.ts';
import { openStream, type Script, serveScript } from './scripted-server.ts';

const LISTS = { capabilities: { tools: { listChanged: true }, resources: { subscribe: true } } };
const NO_LISTS = { capabilities: { resources: { subscribe: true } } };

/** `granted`: the acknowledgement, where it is not what was asked for. */
interface Settings {
  readonly discovered?: Json;
  readonly granted?: (count: number, notifications: Json) => Json;
}

type How = 'breaks' | 'ends' | 'refuses' | 'is away' | 'has none' | 'stays';

/** Listens to a server whose streams break off at once, are ended, or refused, as `answer` says of each. */
async function listening(answer: (count: number) => How, { discovered = LISTS, granted }: Settings = {}) {
  const script: Script = ({ id, method, params }, response, count) => {
    if (method !== 'subscriptions/listen') return undefined;
    const how = answer(count);
    if (how === 'refuses') return { error: { code: -32603, message: 'not now' } };
    if (how === 'is away') return { status: 503, raw: 'deploying' };
    if (how === 'has none') return { status: 404, error: { code: -32601, message: 'no listeners' } };
    const send = openStream(response);
    const _meta = { 'io.modelcontextprotocol/subscriptionId': id };
    const asked = params['notifications'];
    const notifications = granted?.(count, asked) ?? asked;
    send({ method: 'notifications/subscriptions/acknowledged', params: { _meta, notifications } });
    if (how === 'ends') send({ id, result: { resultType: 'complete', _meta } });
    if (how !== 'stays') response.end();
    return undefined;
  };
  const server = await serveScript(script, discovered);
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
  const filters = (): Json[] => server.toldOf('subscriptions/listen').map(({ params }) => params['notifications']);
  const listens = (): number => filters().length;
  /** Waits until a timer is set, and moves time on by `ms`. */
  const elapse = async (ms: number): Promise<void> => {
    await vi.waitFor(() => expect(clock.pending).toBe(1));
    await clock.advance(ms);
  };
  return { changes, errors, filters, listens, elapse, clock };
}

describe('a stream of changes that breaks off', () => {
  it('is opened again after a second, and after a second again where that worked', async () => {
    const { changes, listens, elapse } = await listening(() => 'breaks');
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
    const { changes, listens, errors, elapse } = await listening((count) => (count === 0 ? 'breaks' : 'refuses'));
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
    const { changes, listens, elapse, clock } = await listening(() => 'breaks');
    await changes.open();
    await elapse(999);
    await changes.close();
    expect(clock.pending).toBe(0);
    await changes.subscribe('a:b');
    expect(listens()).toBe(1);
  });
});

describe('a stream of changes that the server ends, as it does when it is deployed anew', () => {
  it('is opened again after a second', async () => {
    const { changes, listens, errors, elapse } = await listening((count) => (count === 0 ? 'ends' : 'stays'));
    await changes.open();
    await elapse(999);
    expect(listens()).toBe(1);
    await elapse(1);
    await vi.waitFor(() => expect(listens()).toBe(2));
    expect(errors).toEqual([]);
  });

  it('is not opened again where nothing was granted', async () => {
    const { changes, listens, clock } = await listening(() => 'ends', { granted: () => ({}) });
    await changes.open();
    await settle(50);
    expect(clock.pending).toBe(0);
    expect(listens()).toBe(1);
  });
});

describe('a first stream of changes that cannot be opened', () => {
  it('is tried again, less and less often, and onerror hears of it', async () => {
    const { changes, listens, errors, elapse } = await listening((count) => (count < 2 ? 'is away' : 'stays'));
    await changes.open();
    await elapse(1_000);
    await vi.waitFor(() => expect(errors).toHaveLength(2));
    await elapse(1_999);
    expect(listens()).toBe(2);
    await elapse(1);
    await vi.waitFor(() => expect(listens()).toBe(3));
    expect(errors.map(({ message }) => message).join()).toContain('deploying');
  });

  it('is not tried again where the server has no such method', async () => {
    const { changes, listens, errors, clock } = await listening(() => 'has none');
    await changes.open();
    expect(clock.pending).toBe(0);
    expect(listens()).toBe(1);
    expect(errors).toHaveLength(1);
  });

  it('is not tried again once one with a subscription stands', async () => {
    const { changes, filters, clock } = await listening((count) => (count === 0 ? 'is away' : 'stays'));
    await changes.open();
    expect(clock.pending).toBe(1);
    await changes.subscribe('a:b');
    expect(clock.pending).toBe(0);
    expect(filters()[1]).toEqual({ toolsListChanged: true, resourceSubscriptions: ['a:b'] });
  });

  it('is not reported where it was closed meanwhile', async () => {
    const { changes, errors, listens, clock } = await listening(() => {
      void changes.close();
      return 'refuses';
    });
    await changes.open();
    expect(listens()).toBe(1);
    expect(errors).toEqual([]);
    expect(clock.pending).toBe(0);
  });
});

describe('a subscription that a server acknowledges without its resource', () => {
  const without = (refused: string) => (_count: number, asked: Json) => ({
    ...asked,
    resourceSubscriptions: ((asked['resourceSubscriptions'] ?? []) as string[]).filter((uri) => uri !== refused),
  });

  it('is refused', async () => {
    const { changes } = await listening(() => 'stays', { discovered: NO_LISTS, granted: () => ({}) });
    await expect(changes.subscribe('a:b')).rejects.toMatchObject({
      code: -32603,
      message: 'The server does not grant the subscription to "a:b"',
      data: { reason: 'not-granted' },
    });
  });

  it('is not asked for again, and leaves those beside it', async () => {
    const { changes, filters, errors } = await listening(() => 'stays', { granted: without('a:no') });
    await changes.subscribe('a:1');
    await expect(changes.subscribe('a:no')).rejects.toThrow('"a:no"');
    await changes.subscribe('a:2');
    expect(filters().map((filter) => filter['resourceSubscriptions'])).toEqual([
      ['a:1'],
      ['a:1', 'a:no'],
      ['a:1', 'a:2'],
    ]);
    expect(errors).toEqual([]);
  });

  it('is reported to onerror where it was granted before, and is not asked for again', async () => {
    const { changes, filters, errors, elapse } = await listening((count) => (count < 2 ? 'breaks' : 'stays'), {
      granted: (count, asked) => (count === 0 ? asked : without('a:b')(count, asked)),
    });
    await changes.subscribe('a:b');
    await elapse(1_000);
    await vi.waitFor(() => expect(errors).toHaveLength(1));
    expect(errors[0]?.message).toBe('The server does not grant the subscription to "a:b"');
    await elapse(1_000);
    await vi.waitFor(() => expect(filters()).toHaveLength(3));
    expect(filters()[2]).toEqual({ toolsListChanged: true });
  });
});

describe('a subscription whose stream cannot be opened', () => {
  it('is not asked for later, neither with another one nor when the stream is opened again', async () => {
    const { changes, filters, elapse } = await listening((count) => (count === 1 ? 'is away' : 'breaks'));
    await changes.open();
    await expect(changes.subscribe('a:1')).rejects.toThrow('deploying');
    await changes.subscribe('a:2');
    expect(filters()[2]).toEqual({ toolsListChanged: true, resourceSubscriptions: ['a:2'] });
    await elapse(1_000);
    await vi.waitFor(() => expect(filters()).toHaveLength(4));
    expect(filters()[3]).toEqual({ toolsListChanged: true, resourceSubscriptions: ['a:2'] });
  });

  it('stays where it cannot be ended, and can be ended later', async () => {
    const { changes, filters } = await listening((count) => (count === 1 ? 'is away' : 'stays'));
    await changes.subscribe('a:1');
    await expect(changes.unsubscribe('a:1')).rejects.toThrow('deploying');
    await changes.unsubscribe('a:1');
    expect(filters()[2]).toEqual({ toolsListChanged: true });
  });
});
