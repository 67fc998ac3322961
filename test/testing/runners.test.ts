import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { nodeArgs } from '../support/child.ts';

it.each([
  ['invite-with-node-test.ts', 2],
  ['hard-clients-with-node-test.ts', 8],
])(
  'the kit works with node:test, as the example %s of the page on testing shows',
  { timeout: 120_000 },
  (file, count) => {
    const args = nodeArgs(fileURLToPath(import.meta.resolve(`mcp-dual-era-examples/testing/${file}`)));
    args.splice(-1, 0, '--test', '--test-reporter=tap');
    // The runner of a test that runs tests would take its report for its own.
    const { NODE_TEST_CONTEXT: _context, ...env } = process.env;
    const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', env });
    expect([status, stderr]).toEqual([0, '']);
    expect(stdout).toContain(`# pass ${count}`);
    expect(stdout).toContain('# fail 0');
  },
);
