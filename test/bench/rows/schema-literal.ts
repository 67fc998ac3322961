/** A handler that writes its form where it asks: SDK v1 compiles it at every call, and keeps what it compiled. */
import { inputContext, inputRequired } from 'mcp-dual-era';
import { type Contender, compare } from '../support/compare.ts';
import { deployed, freshForm, question } from '../support/deploy.ts';
import { type Row, type Spread, spreadOf } from '../support/figure.ts';
import { heapUsed } from '../support/heap.ts';
import { inMemory } from '../support/in-memory.ts';
import { contentOf, createServer, createShimmed, type Deploy, deployBare } from '../support/servers.ts';

const bareLiteral: Deploy = async (service, extra, server) => {
  const params = { mode: 'form' as const, message: question(service), requestedSchema: freshForm() };
  return deployed(service, contentOf(await server.server.elicitInput(params, { signal: extra.signal })));
};

const askingLiteral: Deploy = (service, extra) => {
  const content = inputContext(extra).accepted('form');
  if (content !== undefined) return deployed(service, content);
  return inputRequired({
    inputRequests: { form: inputRequired.elicit({ message: question(service), requestedSchema: freshForm() }) },
  });
};

export const row: Row = async ({ isQuick }) => {
  const shim = await inMemory('shim', createShimmed(askingLiteral));
  const hoisted = await inMemory('bare, hoisted', createServer(deployBare));
  const rounds = isQuick ? 2_000 : 10_000;
  const kept = {
    name: 'schema literal: bytes kept per round',
    unit: 'B' as const,
    bound: 0,
    shim: await keptPerCall(shim, rounds),
    noise: await keptPerCall(hoisted, rounds),
  };
  const bare = await inMemory('bare', createServer(bareLiteral));
  const bareAgain = await inMemory('bare again', createServer(bareLiteral));
  const speed = await compare(
    { name: 'schema literal per call / bare with a literal', bound: 0.1 },
    { bare, bareAgain, shim },
    { turns: isQuick ? 20 : 80, warmUp: 5, slices: 6, calls: 2 },
  );
  const others = [{ name: 'bare with a literal, B', spread: await keptPerCall(bare, rounds / 10) }];
  return [speed, { ...kept, others }];
};

const WINDOWS = 5;

/** The growth of the heap per call, in whole bytes: less than one is the runtime's own housekeeping. */
async function keptPerCall(contender: Contender, calls: number): Promise<Spread> {
  await contender.run(calls);
  const series: number[] = [];
  let before = await heapUsed();
  for (let window = 0; window < WINDOWS; window += 1) {
    await contender.run(calls);
    const after = await heapUsed();
    series.push(Math.round((after - before) / calls));
    before = after;
  }
  return spreadOf(series);
}
