/** What is exported is used: an export that no example imports is one that nobody has been shown. */
import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { pathOf, read } from './quotes.ts';

const EXAMPLES = pathOf('packages/examples');
const IMPORT = /^import (?:type )?\{([^}]+)\} from '([^']+)';$/gm;

/** What the examples import, as `entry name`. */
const imported = new Set(
  ['src', 'conformance'].flatMap((folder) =>
    readdirSync(`${EXAMPLES}/${folder}`, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts'))
      .flatMap((file) => [...readFileSync(`${EXAMPLES}/${folder}/${file}`, 'utf8').matchAll(IMPORT)])
      .flatMap(([, names = '', entry]) => names.split(',').map((name) => `${entry} ${name.trim()}`)),
  ),
);

const entries = Object.keys(JSON.parse(read('packages/shim/package.json')).exports)
  .filter((entry) => entry !== './package.json')
  .map((entry) => entry.replace('.', 'mcp-dual-era'));

it.each(entries)('every function and class of %s is imported by an example', async (entry) => {
  const names = Object.keys(await import(entry));
  expect(names).not.toEqual([]);
  expect(names.filter((name) => !imported.has(`${entry} ${name}`))).toEqual([]);
});
