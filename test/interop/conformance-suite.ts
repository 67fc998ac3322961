/** Runs the official conformance suite against a server or a client, and judges what it has found. */
import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const SUITE = fileURLToPath(import.meta.resolve('@modelcontextprotocol/conformance/dist/index.js'));
const LOADER = new URL('conformance-loader.mjs', import.meta.url).href;
const REGISTER = `data:text/javascript,import { register } from 'node:module'; register('${LOADER}');`;
const LONGEST_RUN = 110_000;

export interface Requirements {
  /** The scenarios that decide whether a server conforms to the revision. */
  readonly scored: readonly string[];
  /** The others that the suite runs for the revision, without those of extensions. */
  readonly unscored: readonly string[];
}

export interface Run {
  readonly exit: number | string;
  readonly output: string;
}

/** What the suite itself says that it requires of a server. */
export function requirementsOf(revision: string): Promise<Requirements> {
  return requirementsOfSide('Server', revision);
}

/** What the suite itself says that it requires of a client, the scored scenarios first. */
export async function clientRequirementsOf(revision: string): Promise<string[]> {
  const { scored, unscored } = await requirementsOfSide('Client', revision);
  return [...scored, ...unscored];
}

async function requirementsOfSide(wanted: 'Server' | 'Client', revision: string): Promise<Requirements> {
  const { output } = await suite(['list', '--requirements', revision]);
  const scored: string[] = [];
  const unscored: string[] = [];
  let side: string | undefined;
  let reason: string | undefined;
  for (const line of output.split('\n')) {
    side = /^(Server|Client) scenarios/.exec(line)?.[1] ?? side;
    reason = /^ {2}(\S+) \(\d+\):$/.exec(line)?.[1] ?? reason;
    const [, required] = /^ {2}- (\S+)$/.exec(line) ?? [];
    const [, reported, role] = /^ {4}- (\S+) \[(server|client)\]$/.exec(line) ?? [];
    if (required !== undefined && side === wanted) scored.push(required);
    if (reported !== undefined && role === wanted.toLowerCase() && reason !== 'extension') unscored.push(reported);
  }
  return { scored, unscored };
}

/** Runs all that the revision requires, and all that the suite reports beside it, one result file in `directory` each. */
export function runSuite(url: string, revision: string, directory: string): Promise<Run> {
  return suite(['server', '--url', url, '--requirements', revision, '-o', directory]);
}

export interface ClientScenario {
  readonly scenario: string;
  readonly revision: string;
  /** Where the result goes: a folder of the scenario's own in it. */
  readonly directory: string;
}

/** Runs one scenario on the client that `command` starts. */
export function runClientScenario(command: string, { scenario, revision, directory }: ClientScenario): Promise<Run> {
  const client = ['client', '--command', command, '--scenario', scenario, '--spec-version', revision];
  return suite([...client, '-o', directory]);
}

/** What keeps the results in `directory` from being a pass of `scenarios`, one line for each cause. */
export async function problemsIn(directory: string, scenarios: readonly string[]): Promise<string[]> {
  const results = await readResults(directory);
  return scenarios.flatMap((scenario) => problemsOf(scenario, results.get(scenario)));
}

export interface Check {
  readonly id: string;
  readonly name?: string;
  readonly status: string;
  readonly description: string;
  readonly errorMessage?: string;
}

// The checks that tell a pass of these from a server that lacks what they look at, which the suite lets off.
const PROOFS = new Map([
  ['server-session-lifecycle', 'server-session-terminated-returns-404'],
  ['server-sse-polling', 'server-sse-disconnect-resume'],
]);

/**
 * Stricter than the suite's exit code: a warning, a skipped check, an error of the suite's own (which it files as a
 * failed check) and a scenario that found nothing out are problems too.
 */
function problemsOf(scenario: string, checks: readonly Check[] | undefined): string[] {
  if (checks === undefined) return [`${scenario}: no result file`];
  const problems = checks
    .filter(({ status }) => status !== 'SUCCESS' && status !== 'INFO')
    .map(({ id, status, description, errorMessage }) => `${scenario}: ${status} ${id}: ${errorMessage ?? description}`);
  const passed = new Set(checks.filter(({ status }) => status === 'SUCCESS').map(({ id }) => id));
  const proof = PROOFS.get(scenario);
  if (passed.size === 0) problems.push(`${scenario}: no check has passed`);
  if (proof !== undefined && !passed.has(proof)) problems.push(`${scenario}: ${proof} has not passed`);
  return problems;
}

async function readResults(directory: string): Promise<Map<string, Check[]>> {
  const results = new Map<string, Check[]>();
  for (const name of await readdir(directory)) {
    const scenario = /^server-(.+)-\d{4}-\d{2}-\d{2}T[\d-]+Z$/.exec(name)?.[1];
    if (scenario === undefined) continue;
    // The folder of a scenario that broke off is there, and empty.
    const text = await readFile(join(directory, name, 'checks.json'), 'utf8').catch(() => undefined);
    if (text !== undefined) results.set(scenario, JSON.parse(text) as Check[]);
  }
  return results;
}

function suite(args: readonly string[]): Promise<Run> {
  const options = { timeout: LONGEST_RUN, maxBuffer: 2 ** 26 };
  return new Promise((resolve) => {
    execFile(process.execPath, ['--import', REGISTER, SUITE, ...args], options, (error, stdout, stderr) => {
      resolve({ exit: error === null ? 0 : (error.code ?? error.signal ?? error.message), output: stdout + stderr });
    });
  });
}
