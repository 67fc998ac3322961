import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { createHolds, type Holds, inputContext, inputRequired, withInputRequiredShim } from 'mcp-dual-era';
import { expect, it } from 'vitest';
import { collectGarbage } from '../support/collect-garbage.ts';
import type { Json } from '../support/json.ts';

const ROUNDS = 200_000;
const PER_CALL = 8;
const SESSIONS = 10;
/** Parts of the run after each of which the heap is looked at. */
const LAPS = 10;
const MIB = 1_048_576;

/** A client that answers every question at once. */
async function openClient(holds: Holds): Promise<{ play(calls: number): Promise<void>; close(): Promise<void> }> {
  const server = new McpServer({ name: 'soak', version: '1' });
  server.registerTool('ask', {}, (extra) => {
    const { round } = inputContext(extra);
    if (round === PER_CALL) return { content: [{ type: 'text', text: 'done' }] };
    const requestedSchema = {
      type: 'object' as const,
      properties: { name: { type: 'string' as const } },
      required: ['name'],
    };
    const name = inputRequired.elicit({ message: `Round ${round}`, requestedSchema });
    return inputRequired({ inputRequests: { name }, requestState: { round } });
  });
  withInputRequiredShim(server, { holds });
  const [near, far] = InMemoryTransport.createLinkedPair();
  await server.connect(far);
  const waiting = new Map<unknown, () => void>();
  near.onmessage = (message) => {
    const { id, method } = message as Json;
    if (method === 'elicitation/create') {
      void near.send({ jsonrpc: '2.0', id, result: { action: 'accept', content: { name: 'Ada' } } });
    } else {
      waiting.get(id)?.();
      waiting.delete(id);
    }
  };
  const ask = (id: string | number, method: string, params: Json): Promise<void> =>
    new Promise((resolve) => {
      waiting.set(id, resolve);
      void near.send({ jsonrpc: '2.0', id, method, params });
    });
  await ask('open', 'initialize', {
    protocolVersion: '2025-11-25',
    capabilities: { elicitation: {} },
    clientInfo: { name: 'soak', version: '1' },
  });
  let calls = 0;
  return {
    async play(count) {
      for (let call = 0; call < count; call += 1) {
        calls += 1;
        await ask(calls, 'tools/call', { name: 'ask', arguments: {} });
      }
    },
    close: () => near.close(),
  };
}

it(`${ROUNDS} rounds leave the heap as it was`, { timeout: 180_000 }, async () => {
  const holds = createHolds({ max: 5, queue: SESSIONS });
  const clients = await Promise.all(Array.from({ length: SESSIONS }, () => openClient(holds)));
  const calls = ROUNDS / PER_CALL / LAPS / SESSIONS;
  const heaps: number[] = [];
  for (let lap = 0; lap < LAPS; lap += 1) {
    await Promise.all(clients.map((client) => client.play(calls)));
    collectGarbage();
    heaps.push(process.memoryUsage().heapUsed / MIB);
  }
  const { answerTimes, holdTimes, ...counts } = holds.stats();
  expect(counts).toMatchObject({
    held: 0,
    queued: 0,
    openLegs: 0,
    rounds: ROUNDS,
    calls: ROUNDS / PER_CALL,
    refused: 0,
    mostHeld: 5,
    legs: { form: { accepted: ROUNDS } },
    outcomes: { answered: ROUNDS / PER_CALL },
  });
  expect([answerTimes.count, holdTimes.count]).toEqual([ROUNDS, ROUNDS / PER_CALL]);
  console.log(`heap after each ${ROUNDS / LAPS} rounds, in MiB: ${heaps.map((heap) => heap.toFixed(1)).join(', ')}`);
  // The first lap compiles and fills caches; a leak of 20 B a round would show as 3.3 MiB.
  expect((heaps.at(-1) ?? Number.NaN) - (heaps[1] ?? 0)).toBeLessThan(3);
  await Promise.all(clients.map((client) => client.close()));
});
