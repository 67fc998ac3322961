/** Which command was meant. What was asked for goes to stdout, how it is used too; what is wrong, to stderr. */
import { generateRequestStateKey } from '../state/keys.ts';
import { doctor } from './doctor/doctor.ts';
import { FlagError } from './flag-error.ts';
import { size } from './size.ts';

const USAGE = `Usage: mcp-dual-era key        prints a fresh key for the requestState option \`keys\`
       mcp-dual-era size       says how many slots a pool of held calls needs: size --help
       mcp-dual-era doctor     opens a server on each era, and says what clients meet there: doctor --help
       mcp-dual-era --version  prints the version of this package
`;

/** Runs the command that `args` name. The exit code is 2 where they are wrong. */
export async function main(args: readonly string[], readVersion: () => string): Promise<void> {
  const [command, ...rest] = args;
  if (command === '--version' && rest.length === 0) {
    process.stdout.write(`${readVersion()}\n`);
  } else if ((command === '--help' || command === '-h') && rest.length === 0) {
    process.stdout.write(USAGE);
  } else if (command === 'key' && rest.length === 0) {
    process.stdout.write(`${generateRequestStateKey()}\n`);
  } else if (command === 'size') {
    await reportMistakes(command, async () => void process.stdout.write(await size(rest)));
  } else if (command === 'doctor') {
    await reportMistakes(command, async () => {
      const { text, exitCode } = await doctor(rest);
      process.stdout.write(text);
      process.exitCode = exitCode;
    });
  } else {
    process.stderr.write(USAGE);
    process.exitCode = command === undefined ? 0 : 2;
  }
}

/** A mistake in what was given is one line; anything else is a defect, and is shown with its stack. */
async function reportMistakes(command: string, run: () => Promise<void>): Promise<void> {
  try {
    await run();
  } catch (error) {
    if (!(error instanceof FlagError)) throw error;
    process.stderr.write(`mcp-dual-era ${command}: ${error.message}\n`);
    process.exitCode = 2;
  }
}
