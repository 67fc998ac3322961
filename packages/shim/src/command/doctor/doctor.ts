/** The command `mcp-dual-era doctor`: from its flags to what it prints, and how it ends. */
import { DOCTOR_HELP, readDoctorFlags } from './doctor-flags.ts';
import { endWithThis } from './ending.ts';
import { examine } from './examine.ts';
import type { Report } from './model.ts';
import { reportJson } from './report-json.ts';
import { reportTable } from './report-table.ts';
import { type SdkLoader, sdkLoader } from './sdk-clients.ts';
import type { Environment } from './secrets.ts';

import { MOST_STEPS } from './step.ts';
import { teller } from './tell.ts';

export interface Diagnosis {
  /** For stdout. */
  readonly text: string;
  /** 0: nothing is wrong; 1: there are problems; 3: no era opened. */
  readonly exitCode: 0 | 1 | 3;
}

export interface DoctorPorts {
  readonly sdk: SdkLoader;
  readonly stderr: { readonly isTTY?: boolean; write(text: string): unknown };
  /** That of a command, whose secrets are not to be told. */
  readonly env: Environment;
}

/** @throws FlagError for flags that are wrong. */
export async function doctor(
  args: readonly string[],
  { sdk, stderr, env }: DoctorPorts = { sdk: sdkLoader, stderr: process.stderr, env: process.env },
): Promise<Diagnosis> {
  const flags = readDoctorFlags(args);
  if (flags === 'help') return { text: DOCTOR_HELP, exitCode: 0 };
  const { target, call, require, timeout, isJson, isVerbose } = flags;
  const isWatched = isVerbose || stderr.isTTY === true;
  const progress = (line: string): void => void (isWatched && stderr.write(`${line}\n`));
  if (call !== undefined) {
    stderr.write(
      'mcp-dual-era doctor: what the tool does before it asks happens once for each era and kind of client.\n',
    );
  }
  const total = new AbortController();
  const timer = setTimeout(() => total.abort(), MOST_STEPS * timeout);
  const look = { target, timeout, signal: total.signal, tell: teller(target, env), progress };
  const ending = endWithThis(() => total.abort());
  try {
    const { unreachable, ...report } = await examine(look, { call, require, sdk });
    await ending.unlessEnding();
    const exitCode = unreachable ? 3 : exitCodeOf(report);
    return { text: isJson ? reportJson(report, exitCode) : reportTable(report), exitCode };
  } finally {
    clearTimeout(timer);
    await ending.stop();
  }
}

function exitCodeOf({ findings }: Report): 0 | 1 {
  return findings.some(({ verdict }) => verdict === 'problem') ? 1 : 0;
}
