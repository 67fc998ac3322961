import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ADA, ALL_CAPABILITIES, ask, form, outcomeOf, ROOTS, roots, told, url } from '../support/asks.ts';
import { connectMemory } from '../support/connect-memory.ts';
import type { Json } from '../support/json.ts';
import { ManualClock, settle } from '../support/manual-clock.ts';
import { createScriptServer } from '../support/script-server.ts';
import { play } from '../support/session.ts';

const ANSWERS: Record<string, Json> = { form: ADA, url: { action: 'accept' }, roots: ROOTS };

describe('a client that answers the first of three questions with an error before its sending returns', () => {
  it('is left with no dialog open', async () => {
    const clock = new ManualClock();
    const server = createScriptServer(
      { options: { legs: 'concurrent', ports: { clock } } },
      { event: () => undefined, run: () => undefined },
    );
    const { peer, near, close } = await connectMemory(server);
    onTestFinished(close);
    const open = new Set<unknown>();
    let isAnswered = false;
    const listen = near.onmessage;
    near.onmessage = (message: JSONRPCMessage, extra) => {
      if (!('method' in message)) return listen?.(message, extra);
      if (!('id' in message)) return void open.delete(message.params?.['requestId']);
      if (isAnswered) return void open.add(message.id);
      isAnswered = true;
      void near.send({ jsonrpc: '2.0', id: message.id, error: { code: -32601, message: 'no' } });
    };
    await peer.handshake({ capabilities: ALL_CAPABILITIES });
    await play(peer, [ask({ who: form(), where: roots(), auth: url() })]);
    expect(outcomeOf(await peer.next())).toMatchObject({ reason: 'client-error', key: 'who' });
    await settle();
    expect([...open]).toEqual([]);
    expect(clock.pending).toBe(0);
  });
});

describe.each(['sequential', 'concurrent'] as const)(
  'a client that answers a question before its sending returns (%s)',
  (legs) => {
    it('has each answer taken, in both rounds', async () => {
      const clock = new ManualClock();
      const server = createScriptServer(
        { options: { legs, ports: { clock } } },
        { event: () => undefined, run: () => undefined },
      );
      const { peer, near, close } = await connectMemory(server);
      onTestFinished(close);
      const listen = near.onmessage;
      near.onmessage = (message: JSONRPCMessage, extra) => {
        if (!('method' in message && 'id' in message)) return listen?.(message, extra);
        const result = ANSWERS[message.params?.['mode'] === undefined ? 'roots' : String(message.params['mode'])];
        void near.send({ jsonrpc: '2.0', id: message.id, result: result ?? {} });
      };
      await peer.handshake({ capabilities: ALL_CAPABILITIES });
      await play(peer, [
        ask({ who: form(), where: roots(), auth: url() }),
        ask({ again: form('And now?'), all: roots() }),
      ]);
      expect(told(await peer.next())).toMatchObject({ round: 2, responses: { again: ADA, all: ROOTS } });
      expect(clock.pending).toBe(0);
    });

    it('[O3] is asked any number of questions in a round', async () => {
      const clock = new ManualClock();
      const server = createScriptServer(
        { options: { legs, ports: { clock } } },
        { event: () => undefined, run: () => undefined },
      );
      const { peer, near, close } = await connectMemory(server);
      onTestFinished(close);
      const listen = near.onmessage;
      near.onmessage = (message: JSONRPCMessage, extra) => {
        if (!('method' in message && 'id' in message)) return listen?.(message, extra);
        void near.send({ jsonrpc: '2.0', id: message.id, result: ADA });
      };
      await peer.handshake({ capabilities: ALL_CAPABILITIES });
      const keys = Array.from({ length: 2_000 }, (_, index) => `question ${index}`);
      await play(peer, [ask(Object.fromEntries(keys.map((key) => [key, form(key)])))]);
      expect(Object.keys(told(await peer.next())['responses'])).toEqual(keys);
      expect(clock.pending).toBe(0);
    });
  },
);
