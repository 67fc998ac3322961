import { describe, expect, it, vi } from 'vitest';
import { nameOf, step, teller } from '../../packages/shim/src/command/doctor/step.ts';

const URL_ = 'https://mcp.example.com/mcp';

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

  it('names a command without its arguments', () => {
    expect(nameOf(look(1, new AbortController().signal).target)).toBe('node');
  });
});

describe('what a server said', () => {
  const url = new URL(`${URL_}?api=query-secret`);
  const headers = [
    ['Authorization', 'Bearer header-secret'],
    ['X-Flag', 'yes'],
  ] as const;
  const tell = teller({ kind: 'http', url, headers });

  it.each([
    ['on\none\r\nline\u2028', 'on one line'],
    ['\u001b[2J\u001b]0;title\u0007no control', '[2J ]0;title no control'],
    ['\u202eturned\u2066 \u200bhidden\ufeff', 'turned hidden'],
    ['half a \ud800 letter', 'half a letter'],
    ['Bearer header-secret, header-secret, query-secret', '***, ***, ***'],
    ['yes is no secret', 'yes is no secret'],
    ['x'.repeat(201), `${'x'.repeat(200)}...`],
    ['\u{1f600}'.repeat(200), '\u{1f600}'.repeat(200)],
    [`${'x'.repeat(195)}header-secret`, `${'x'.repeat(195)}***`],
    [{ an: 'object' }, 'an object'],
    [undefined, 'undefined'],
    [new Error('its message'), 'its message'],
  ])('is told in words fit to be printed, case %#', (said, told) => {
    expect(tell(said)).toBe(told);
  });
});
