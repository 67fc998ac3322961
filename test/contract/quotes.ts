import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { nodeArgs } from '../support/child.ts';
import { runCommand } from '../support/command.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** The pages of the project, as paths from its root. */
export const PAGES: readonly string[] = [
  'README.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'packages/shim/README.md',
  ...readdirSync(`${ROOT}/docs`)
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
];

export function pathOf(path: string): string {
  return `${ROOT}/${path}`;
}

export function read(path: string): string {
  return readFileSync(pathOf(path), 'utf8');
}

const QUOTE = /^(```ts source=(\S+)#(\S+)\n)[\s\S]*?^```$/gm;

/** An output, with the command right above it, if there is one. */
const OUTPUT = /^((?:```sh\nnpx mcp-dual-era (.+)\n```\n\n)?```text output\n)[\s\S]*?^```$/gm;
const PLOT = /^npx .*mcp-dual-era (size .+ --plot) (\S+\.svg)$/gm;

/** `page` with each fence that names its source filled from there, and each output with what the command above prints. */
export function withQuotes(page: string): string {
  const quoted = page.replaceAll(QUOTE, (_fence, opening: string, file: string, region: string) => {
    return `${opening}${regionOf(file, region)}\`\`\``;
  });
  return quoted.replaceAll(OUTPUT, (_fences, opening: string, command?: string) => {
    if (command === undefined) throw new Error('There is no command above an output');
    const { status, stdout, stderr } = runCommand(wordsOf(command));
    if (status !== 0) throw new Error(`${command}: ${stderr}`);
    return `${opening}${stdout}\`\`\``;
  });
}

/** The words of a command of the shell. The server that a page runs as `node server.js` is the example one. */
function wordsOf(command: string): string[] {
  const [flags = '', server] = command.split(/ -- node server\.js$/);
  const words = flags.split(' ').map((word) => word.replace(/^'(.*)'$/, '$1'));
  if (server === undefined) return words;
  return [...words, '--', process.execPath, ...nodeArgs(pathOf('packages/examples/src/stdio-server.ts'))];
}

/** Draws each plot whose command is on `page` into `directory`. */
export function drawPlots(page: string, directory: string): void {
  for (const [, command = '', name = ''] of page.matchAll(PLOT)) {
    const { status, stderr } = runCommand([...command.split(' '), join(directory, name)]);
    if (status !== 0) throw new Error(`${command}: ${stderr}`);
  }
}

/** The lines of `file` between `// #region name` and `// #endregion name`, without their common indent. */
function regionOf(file: string, name: string): string {
  const lines = read(file).split('\n');
  const start = lines.findIndex((line) => line.trim() === `// #region ${name}`);
  const end = lines.findIndex((line) => line.trim() === `// #endregion ${name}`);
  if (start < 0 || end < start) throw new Error(`${file} has no region ${name}`);
  const region = lines.slice(start + 1, end);
  const indent = Math.min(...region.filter((line) => line !== '').map((line) => line.length - line.trimStart().length));
  return `${region.map((line) => line.slice(indent)).join('\n')}\n`;
}
