import { describe, expect, it, vi } from 'vitest';
import { step } from '../../packages/shim/src/command/doctor/step.ts';

describe('one step', () => {
  const look = (timeout: number, signal: AbortSignal) => ({
    target: { kind: 'stdio', command: '/usr/bin/node', args: ['--token', 'secret'] } as const,
    timeout,
    signal,
    tell: String,
    progress: () => undefined,
  });
  const never = () => new Promise<never>(() => undefined);

  it('gives what it came to, and leaves no timer', async () => {
    vi.useFakeTimers();
    try {
      await expect(step(look(1_000, new AbortController().signal), async () => 'done')).resolves.toBe('done');
      expect(vi.getTimerCount()).toBe(0);
    } finally {
      vi.useRealTimers();
    }
  });

  it('ends with its time', async () => {
    const signal = new AbortController().signal;
    await expect(step(look(20, signal), never)).rejects.toThrow('no answer within 20 ms');
  });

  it('ends with the time of all, and is not begun after it', async () => {
    const total = new AbortController();
    const running = step(look(60_000, total.signal), never);
    total.abort();
    const message = 'the 30 x --timeout for all steps were used up';
    await expect(running).rejects.toThrow(message);
    const run = vi.fn(never);
    await expect(step(look(60_000, total.signal), run)).rejects.toThrow(message);
    expect(run).not.toHaveBeenCalled();
  });
});
