/**
 * The demo: the example server as a process of its own, on stdio and over HTTP, and clients on SDK v1, with and without a
 * person to ask. Exits 0 only if everything came out as expected and the servers are gone.
 */
import { type Outcome, runExchange } from './exchange.ts';
import { paint } from './paint.ts';
import { createPerson, createScript } from './person.ts';
import { printReport } from './report.ts';
import { httpServer, stdioServer } from './servers.ts';
import { mainSteps, moreSteps, scriptSteps } from './steps.ts';

const DEADLINE_MS = 30_000;

const INTRODUCTION = `${paint('bold', 'A server whose handlers return their questions, and a client that knows only live ones')}

The server is written for revision 2026-07-28 of the protocol: a handler that needs input returns
its question as a result. The client is older, and can only be asked by a request in the middle of
a call. The shim sits in the server, on SDK v1, and turns the one into the other. Below is every
message between the two processes, as the client sees it. What is indented happens within a call.`;

function fail(reason: string): never {
  console.error(`The demo failed: ${reason}`);
  process.exit(1);
}

async function run(): Promise<readonly Outcome[]> {
  console.log(INTRODUCTION);
  const overStdio = await runExchange({
    name: 'stdio',
    story: 'The handshake settles the revision, and what the client can be asked for.',
    server: stdioServer(),
    client: createPerson(),
    steps: [...mainSteps, ...moreSteps],
  });
  const overHttp = await runExchange({
    name: 'HTTP',
    story: 'The same from a web server: questions arrive on the response to their call.',
    server: await httpServer(),
    client: createPerson(),
    steps: mainSteps.map((step) => ({ ...step, story: '' })),
  });
  const withoutPerson = await runExchange({
    name: 'stdio, a script',
    story: 'This client has nobody to ask, and says so in its handshake: it declares no elicitation.',
    server: stdioServer(),
    client: createScript(),
    steps: scriptSteps,
  });
  return [...overStdio, ...overHttp, ...withoutPerson];
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => fail(`it was ended by ${signal}`));
const deadline = setTimeout(() => fail(`it was not done after ${DEADLINE_MS / 1000} s`), DEADLINE_MS);
try {
  const outcomes = await run();
  printReport(outcomes);
  if (!outcomes.every(({ isAsExpected }) => isAsExpected)) fail('not every result is the expected one');
  console.log(`\n${paint('green', 'Every result is the expected one, and every server has ended.')}`);
} catch (error) {
  fail(error instanceof Error ? error.message : String(error));
} finally {
  clearTimeout(deadline);
}
