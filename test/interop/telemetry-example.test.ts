import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { exampleProcess } from './example-process.ts';

it('[T2] the example telemetry shows Prometheus what became of its calls, and ends', async () => {
  const { command, args, env } = exampleProcess('telemetry/main');
  const { stdout, stderr } = await promisify(execFile)(command, args, { env, timeout: 50_000 });
  expect(stderr).toBe('');
  const [calls = '', page = '', spans = ''] = stdout.replaceAll(',otel_scope_name="mcp-dual-era"', '').split('\n\n');
  expect(calls.split('\n')).toEqual([
    'Deployed build-1 to staging.',
    'Not deployed.',
    'The tool deploy was not completed: its question was not answered in time (roundTimeout is 1000 ms).',
  ]);

  const lines = page.replaceAll('{otel_scope_name="mcp-dual-era"}', '').split('\n');
  const isSum = (line: string) => line.includes('_sum{');
  expect(lines.filter((line) => !isSum(line)).sort()).toEqual([
    'mcp_dual_era_answer_duration_count{mcp_dual_era_outcome="answered"} 2',
    'mcp_dual_era_answer_duration_count{mcp_dual_era_outcome="timeout"} 1',
    'mcp_dual_era_calls_held 0',
    'mcp_dual_era_calls_queued 0',
    'mcp_dual_era_calls_refused_total 0',
    'mcp_dual_era_hold_duration_count{mcp_dual_era_outcome="answered"} 2',
    'mcp_dual_era_hold_duration_count{mcp_dual_era_outcome="timeout"} 1',
    'mcp_dual_era_holds_total{mcp_dual_era_outcome="answered"} 2',
    'mcp_dual_era_holds_total{mcp_dual_era_outcome="timeout"} 1',
    'mcp_dual_era_legs_total{mcp_dual_era_kind="form",mcp_dual_era_outcome="accepted"} 1',
    'mcp_dual_era_legs_total{mcp_dual_era_kind="form",mcp_dual_era_outcome="declined"} 1',
    'mcp_dual_era_legs_total{mcp_dual_era_kind="form",mcp_dual_era_outcome="timeout"} 1',
    'mcp_dual_era_rounds_total 3',
  ]);
  // In seconds: the one that was not answered took a little more than one.
  const sums = lines.filter((line) => isSum(line) && line.includes('timeout'));
  expect(sums).toHaveLength(2);
  for (const sum of sums) expect(Number(sum.split(' ')[1])).toBeGreaterThan(0.99);

  expect(
    spans
      .trim()
      .split('\n')
      .map((line) => line.replace(/^(?!b7ad6b7169203331)[0-9a-f]{16}/, 'call')),
  ).toEqual([
    'call > elicitation/create: accepted',
    'b7ad6b7169203331 > tools/call deploy: answered',
    'call > elicitation/create: declined',
    'b7ad6b7169203331 > tools/call deploy: answered',
    'call > elicitation/create: timeout',
    'b7ad6b7169203331 > tools/call deploy: timeout',
  ]);
}, 60_000);
