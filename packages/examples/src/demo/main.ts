/**
 * The demo: the example server as a process of its own, on stdio and over HTTP; clients on SDK v1, with and without a
 * person to ask; and a client on SDK v2, whose results must equal those of the first. Exits 0 only if everything came out
 * as expected and the servers are gone.
 */
import { type Outcome, runExchange } from './exchange.ts';
import { createListing } from './listing.ts';
import { paint } from './paint.ts';
import { createModernPerson, createPerson, createScript } from './person.ts';
import { printReport } from './report.ts';
import { httpServer, stdioServer } from './servers.ts';
import { printSideBySide } from './side-by-side.ts';
import { failingSteps, mainSteps, moreSteps, scriptSteps } from './steps.ts';

const DEADLINE_MS = 60_000;

const INTRODUCTION = `${paint('bold', 'A server whose handlers return their questions, and a client that knows only live ones')}

The server is written for revision 2026-07-28 of the protocol: a handler that needs input returns
its question as a result. The client is older, and can only be asked by a request in the middle of
a call. The shim sits in the server, on SDK v1, and turns the one into the other. Below is every
message between the two processes, as the client sees it. What is indented happens within a call.`;

const SECOND_HALF = `${paint('bold', 'The same server, and a client on revision 2026-07-28')}

Nothing is sent in the middle of a call any more: the question is the answer, and the client calls
again with what the person said. The serving entry hands the handler's question on as it is. On the
left is what the older client saw, on the right what this one sees, who opens with no handshake.`;

function fail(reason: string): never {
  console.error(`The demo failed: ${reason}`);
  process.exit(1);
}

async function run(): Promise<readonly Outcome[]> {
  console.log(INTRODUCTION);
  const listing = createListing();
  const overStdio = await runExchange({
    name: 'stdio',
    story: 'The handshake settles the revision, and what the client can be asked for.',
    server: stdioServer('handshake'),
    client: createPerson(),
    steps: [...mainSteps, ...moreSteps, ...failingSteps],
    listing,
  });
  const overHttp = await runExchange({
    name: 'HTTP',
    story: 'The same from a web server: questions arrive on the response to their call.',
    server: await httpServer('handshake'),
    client: createPerson(),
    steps: mainSteps.map((step) => ({ ...step, story: '' })),
    listing,
  });
  const withoutPerson = await runExchange({
    name: 'stdio, a script',
    story: 'This client has nobody to ask, and says so in its handshake: it declares no elicitation.',
    server: stdioServer('handshake'),
    client: createScript(),
    steps: scriptSteps,
    listing,
  });
  const modern = await runBothEras([...overStdio, ...overHttp]);
  return [...overStdio, ...overHttp, ...withoutPerson, ...modern];
}

/** The second half: the same servers, asked by a modern client, and held against what the older one got. */
async function runBothEras(before: readonly Outcome[]): Promise<readonly Outcome[]> {
  console.log(`\n${SECOND_HALF}`);
  const visits = await Promise.all([
    runExchange({
      name: 'stdio, 2026-07-28',
      story: '',
      server: stdioServer('modern'),
      client: createModernPerson(),
      steps: [...mainSteps, ...moreSteps],
    }),
    runExchange({
      name: 'HTTP, 2026-07-28',
      story: '',
      server: await httpServer('modern'),
      client: createModernPerson(),
      steps: mainSteps,
    }),
  ]);
  const modern = visits.flat();
  const pairs = modern.map((outcome) => {
    const title = outcome.title.replace(', 2026-07-28', '');
    const older = before.find((candidate) => candidate.title === title);
    if (older === undefined) throw new Error(`Nothing to hold against ${outcome.title}`);
    return [older, outcome] as const;
  });
  const areEqual = pairs.map(([older, newer]) => printSideBySide(older, newer));
  if (areEqual.includes(false)) throw new Error('the two eras came to different results');
  console.log(`\n${paint('green', `All ${pairs.length} results are equal in both eras.`)}`);
  return modern;
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
