import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { nodeArgs } from '../support/child.ts';
import { type Check, clientRequirementsOf, runClientScenario } from './conformance-suite.ts';

const CLIENT = fileURLToPath(new URL('../../packages/examples/conformance/client.ts', import.meta.url));
const COMMAND = [process.execPath, ...nodeArgs(CLIENT)].join(' ');

/** How the suite sees the client end in `scenario`: which checks are no success, and what the client prints. */
async function run(scenario: string, revision: string) {
  const directory = await mkdtemp(join(tmpdir(), 'conformance-client-'));
  onTestFinished(() => rm(directory, { recursive: true }));
  const { exit, output } = await runClientScenario(COMMAND, { scenario, revision, directory });
  const [folder = ''] = await readdir(directory);
  const fileOf = (name: string) => readFile(join(directory, folder, name), 'utf8');
  const checks = JSON.parse(await fileOf('checks.json')) as Check[];
  return {
    exit,
    passed: checks.filter(({ status }) => status === 'SUCCESS').length,
    problems: checks
      .filter(({ status }) => status !== 'SUCCESS' && status !== 'INFO')
      .map(({ status, name }) => `${status} ${name}`),
    printed: (await fileOf('stdout.txt')).trim().split('\n'),
    output: output.slice(-4_000),
  };
}

// What a scenario has beside its passes, each with its reason.
const SKIPPED: Record<string, string[]> = {
  // The modern revision has neither, and a client of its does not send them.
  'http-standard-headers': [
    'SKIPPED ClientMcpMethodHeader_initialize',
    'SKIPPED ClientMcpMethodHeader_notifications_initialized',
  ],
};
const REFUSED: Record<string, string[]> = {
  // The suite's server leaves out what the revision demands of it. The call ends, and is not made again.
  'sep-2322-client-request-state': [
    'MCP error -32603: Invalid result for tools/call: missing required resultType — servers implementing protocol ' +
      'revision 2026-07-28 MUST include it (the absent-means-complete bridge applies only to earlier-revision servers)',
  ],
  // The suite's server has tools to list, and none to call.
  'json-schema-ref-no-deref': ['MCP error -32601: Method not found'],
};

// Scenarios of authorization ask a client how it gets a token. Here that is SDK v1's authProvider, which is handed
// through to the official transport as it is, and is no part of this package.
const isOfAuthorization = (scenario: string) => scenario.startsWith('auth/');

const REVISIONS = [
  [
    '2025-11-25',
    'handshake',
    [
      'initialize',
      'tools_call',
      'elicitation-sep1034-client-defaults',
      'sse-retry',
      'json-schema-2020-12-preservation',
    ],
  ],
  [
    '2026-07-28',
    'modern',
    [
      'tools_call',
      'request-metadata',
      'sep-2322-client-request-state',
      'http-standard-headers',
      'http-custom-headers',
      'http-invalid-tool-headers',
      'json-schema-ref-no-deref',
      'json-schema-2020-12-preservation',
    ],
  ],
] as const;

describe.each(REVISIONS)('the official conformance suite, on a client, %s', (revision, era, scenarios) => {
  it('has these scenarios, beside those of authorization and of extensions', async () => {
    const required = await clientRequirementsOf(revision);
    expect(required.filter((scenario) => !isOfAuthorization(scenario))).toEqual(scenarios);
    expect(required.length).toBeGreaterThan(scenarios.length);
  }, 60_000);

  it.each(scenarios)('passes %s', { timeout: 60_000 }, async (scenario) => {
    const { exit, passed, problems, printed, output } = await run(scenario, revision);
    expect(problems, output).toEqual(SKIPPED[scenario] ?? []);
    expect(passed, output).toBeGreaterThan(0);
    expect(printed, output).toEqual([era, ...(REFUSED[scenario] ?? [])]);
    expect(exit, output).toBe(0);
  });
});
