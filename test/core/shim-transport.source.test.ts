import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { shimTransport } from 'mcp-dual-era';
import { describe, expect, it } from 'vitest';
import { giveHints } from '../../packages/shim/src/handshake/hints.ts';
import { settle } from '../support/manual-clock.ts';

/** A transport of the user's own, and what became of it. */
function own() {
  const steps: string[] = [];
  const inner: Transport = {
    start: async () => void steps.push('start'),
    send: async () => void steps.push('send'),
    close: async () => {
      steps.push('close');
      inner.onclose?.();
    },
  };
  return { inner, steps };
}

const PING = { jsonrpc: '2.0', id: 1, method: 'ping' } as const;

describe('a transport of the user’s own', () => {
  it('may tell something before anybody listens', async () => {
    const { inner } = own();
    const transport = shimTransport(inner);
    await transport.start();
    inner.onmessage?.(PING);
    inner.onerror?.(new Error('early'));
    const heard: unknown[] = [];
    transport.onmessage = (message) => heard.push(message);
    transport.onerror = (error) => heard.push(error.message);
    inner.onmessage?.({ ...PING, id: 2 });
    inner.onerror?.(new Error('late'));
    expect(heard).toEqual([{ ...PING, id: 2 }, 'late']);
  });

  it('may throw where it cannot send, which is a rejection', async () => {
    const { inner } = own();
    inner.send = () => {
      throw new Error('a broken pipe');
    };
    const transport = shimTransport(inner);
    await transport.start();
    await expect(transport.send(PING)).rejects.toThrow('a broken pipe');
  });

  it('may send without a promise', async () => {
    const { inner } = own();
    inner.send = () => undefined as never;
    const transport = shimTransport(inner);
    await transport.start();
    await expect(transport.send(PING)).resolves.toBeUndefined();
  });
});

describe('a transport that says itself when its input has ended', () => {
  it('is closed then, and not asked any more once it is', async () => {
    const { inner, steps } = own();
    let end = (): void => undefined;
    giveHints(inner, {
      onInputEnd: (listener) => {
        steps.push('listen');
        end = listener;
        return () => void steps.push('stop');
      },
    });
    const before = process.stdin.listenerCount('end');
    await shimTransport(inner).start();
    expect([steps, process.stdin.listenerCount('end')]).toEqual([['listen', 'start'], before]);
    end();
    await settle();
    expect(steps).toEqual(['listen', 'start', 'close', 'stop']);
  });
});
