import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { PARTS } from './parts.ts';

const SOURCE = fileURLToPath(new URL('../../packages/shim/src', import.meta.url));
const FOLDERS = ['core', 'state', 'handshake'];
const PARTS_OF_FILE = FOLDERS.flatMap((folder) =>
  readdirSync(`${SOURCE}/${folder}`, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => `${folder}/${name.replaceAll('\\', '/')}`),
).map((file) => ({ file, parts: partsOf(file) }));

function partsOf(file: string): string[] {
  return Object.entries(PARTS).flatMap(([name, { files }]) =>
    files.some((start) => file.startsWith(start)) ? [name] : [],
  );
}

it('looks at the files of all three folders', () => {
  for (const folder of FOLDERS)
    expect(PARTS_OF_FILE.filter(({ file }) => file.startsWith(`${folder}/`)).length).toBeGreaterThan(5);
});

it.each(PARTS_OF_FILE)('mutates $file in exactly one part', ({ parts }) => {
  expect(parts).toHaveLength(1);
});

it.each(Object.entries(PARTS))('has a file for every start that %s names', (_, { files }) => {
  const idle = files.filter((start) => !PARTS_OF_FILE.some(({ file }) => file.startsWith(start)));
  expect(idle).toEqual([]);
});
