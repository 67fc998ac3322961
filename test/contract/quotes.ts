import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

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

/** `page` with each fence that names its source filled from there. */
export function withQuotes(page: string): string {
  return page.replaceAll(QUOTE, (_fence, opening: string, file: string, region: string) => {
    return `${opening}${regionOf(file, region)}\`\`\``;
  });
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
