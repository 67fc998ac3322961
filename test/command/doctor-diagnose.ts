import { expect } from 'vitest';
import { doctor } from '../../packages/shim/src/command/doctor/doctor.ts';
import { type SdkLoader, sdkLoader } from '../../packages/shim/src/command/doctor/sdk-clients.ts';
import type { Json } from '../support/json.ts';

interface Diagnosed {
  readonly exitCode: number;
  /** What was printed, with --json. */
  readonly report: Json;
  /** The verdict of each finding by its id; the worst, where there are several of one id. */
  readonly verdicts: Readonly<Record<string, string>>;
  readonly stderr: string;
  /** The finding of this id; the worst. */
  finding(id: string): Json;
  /** `client: verdict`, or `client: verdict (state)`, of each client on an era. */
  clients(era: string): string[];
  call(era: string, client: string): Json;
}

/** The doctor's look at a server, in this process; `args` come before the place. */
export async function diagnose(place: readonly string[], args: readonly string[] = [], sdk: SdkLoader = sdkLoader) {
  let stderr = '';
  const write = (text: string): void => {
    stderr += text;
  };
  const { text, exitCode } = await doctor(['--json', ...args, ...place], { sdk, stderr: { write }, env: process.env });
  const report = JSON.parse(text) as Json;
  expect(report['exitStatus']).toBe(exitCode);
  const findings = report['findings'] as Json[];
  const rows = report['clients'] as Json[];
  return {
    exitCode,
    report,
    stderr,
    verdicts: Object.fromEntries(findings.toReversed().map(({ id, verdict }) => [id, verdict])),
    finding: (id) => findings.find((finding) => finding['id'] === id) ?? {},
    clients: (era) =>
      rows
        .filter((row) => row['era'] === era)
        .map(({ client, verdict, state }) => `${client}: ${verdict}${state === 'open' ? '' : ` (${state})`}`),
    call: (era, client) => rows.find((row) => row['era'] === era && row['client'] === client)?.['call'],
  } satisfies Diagnosed as Diagnosed;
}
