import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { nodeArgs } from '../support/child.ts';
import { seededRandom } from '../support/random.ts';
import { createAgent, type HeldCall, LoadSession } from './load-client.ts';
import type { LoadReport } from './load-server.ts';

const SESSIONS = 1_000;
const CALLS = 10_000;
/** Requests that are on their way at a time. */
const AT_ONCE = 100;

const SERVER = fileURLToPath(new URL('load-server.ts', import.meta.url));
const MIB = 1_048_576;

it(`${CALLS} calls of ${SESSIONS} sessions are held by one process and answered in any order; nothing is lost, nothing left`, {
  timeout: 180_000,
}, async () => {
  const child = fork(SERVER, [String(CALLS)], { execArgv: nodeArgs('').slice(0, -1) });
  onTestFinished(() => void child.kill('SIGKILL'));
  const exited = once(child, 'exit');
  const [{ port }] = (await once(child, 'message')) as [{ port: number }];
  const report = async (): Promise<LoadReport> => {
    const [told] = await Promise.all([once(child, 'message'), child.send('report')]);
    return told[0] as LoadReport;
  };
  const agent = createAgent();
  onTestFinished(() => agent.destroy());
  const began = performance.now();
  const sessions = Array.from({ length: SESSIONS }, () => new LoadSession(port, agent));
  await atOnce(sessions, (session) => session.open());
  const open = await report();
  expect(open).toMatchObject({ sessions: SESSIONS, held: 0 });

  const held: { session: LoadSession; held: HeldCall }[] = [];
  const calls = Array.from({ length: CALLS }, (_, call) => call);
  await atOnce(calls, async (call) => {
    const session = sessions[call % SESSIONS] as LoadSession;
    held.push({ session, held: await session.hold(call) });
  });
  const full = await report();
  expect(full).toMatchObject({ held: CALLS, openLegs: CALLS, calls: CALLS, refused: 0 });

  const answered = new Map<number, unknown>();
  const random = seededRandom(8);
  const order = held.map((entry) => [random(), entry] as const).sort(([left], [right]) => left - right);
  await atOnce(order, async ([, { session, held: call }]) => {
    await session.answer(call, { word: `word of ${call.call}` });
    answered.set(call.call, (await call.answered)['result']);
  });
  expect(answered.size).toBe(CALLS);
  for (const [call, result] of answered) {
    expect(result).toEqual({ content: [{ type: 'text', text: `${call}: word of ${call}` }] });
  }
  const done = await report();
  expect(done).toMatchObject({ held: 0, queued: 0, openLegs: 0, accepted: CALLS });

  await atOnce(sessions, (session) => session.close());
  const end = await report();
  expect(end).toMatchObject({ sessions: 0, held: 0 });
  child.send('end');
  await exited;

  const perCall = (full.heapUsed - open.heapUsed) / CALLS;
  const rssPerCall = (full.rss - open.rss) / CALLS;
  const seconds = (performance.now() - began) / 1_000;
  console.log(
    `${CALLS} held calls: ${Math.round(perCall)} B of heap and ${Math.round(rssPerCall)} B of RSS each, ` +
      `${Math.round(full.rss / MIB)} MiB of RSS in all; ${Math.round((end.heapUsed - open.heapUsed) / MIB)} MiB of heap ` +
      `more after the end than before the first call; ${seconds.toFixed(1)} s`,
  );
  // Streams, sockets and SDK v1 included.
  expect(perCall).toBeLessThan(60_000);
  expect(end.heapUsed).toBeLessThan(open.heapUsed + 20 * MIB);
});

async function atOnce<Item>(items: readonly Item[], run: (item: Item) => Promise<void>): Promise<void> {
  const left = [...items].reverse();
  const work = async (): Promise<void> => {
    for (let item = left.pop(); item !== undefined; item = left.pop()) await run(item);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
}
