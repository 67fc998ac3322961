import { readdirSync } from 'node:fs';
import { basename } from 'node:path';
import { describe, expect, it } from 'vitest';
import { DOCTOR_HELP } from '../../packages/shim/src/command/doctor/doctor-flags.ts';
import { read } from '../contract/quotes.ts';

const FOLDER = 'packages/shim/src/command/doctor';
const source = readdirSync(new URL(`../../${FOLDER}`, import.meta.url))
  .map((name) => read(`${FOLDER}/${name}`))
  .join('\n');
const page = read('docs/doctor.md');
const all = (text: string, pattern: RegExp): string[] => [
  ...new Set([...text.matchAll(pattern)].map(([, it = '']) => it)),
];
const headingsOf = (text: string): string[] =>
  all(text, /^#+ (.*)$/gm).map((heading) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\w\- ]/g, '')
      .replaceAll(' ', '-'),
  );

describe('docs/doctor.md', () => {
  it('has a heading for each finding, and no other', () => {
    const ids = all(source, /\bid: '([\w-]+)'/g);
    const checked = all(source, /^\s+'?([\w-]+)'?: \[\s*[`'](?:a request|an unknown|a call)/gm);
    const spoken = ['handshake', 'modern', 'host', 'origin', 'initialize-revision', 'nothing-opens'];
    const findings = page.slice(page.indexOf('\n## Findings\n'));
    expect(checked).toHaveLength(3);
    expect(all(findings, /^### (.*)$/gm).sort()).toEqual([...new Set([...ids, ...checked, ...spoken])].sort());
  });

  it('has a row for each flag', () => {
    expect(all(page, /^\| `(--\w+)/gm)).toEqual([
      '--call',
      '--arguments',
      '--header',
      '--require',
      '--timeout',
      '--json',
      '--verbose',
      '--help',
    ]);
    expect(all(DOCTOR_HELP, /^ {2}(--\w+)/gm)).toEqual(all(page, /^\| `(--\w+)/gm));
  });
});

describe('the cures of the doctor', () => {
  it('point to pages and headings that exist', () => {
    const pages = all(source, /(docs\/[\w-]+\.md(?:#[\w-]+)?)/g);
    expect(pages.length).toBeGreaterThan(10);
    for (const [file = '', heading] of pages.map((one) => one.split('#'))) {
      expect(headingsOf(read(file)), `${file}#${heading}`).toContain(heading ?? headingsOf(read(file))[0]);
    }
    const reasons = all(read('packages/shim/src/core/outcome.ts'), /^ {2}\| '([\w-]+)'/gm);
    expect(reasons.length).toBeGreaterThan(8);
    expect(headingsOf(read('docs/errors.md'))).toEqual(expect.arrayContaining(reasons));
  });
});

describe('the command line', () => {
  it('loads no SDK before the doctor runs', () => {
    const files = readdirSync(new URL(`../../${FOLDER}`, import.meta.url));
    expect(files.map((file) => basename(file))).toContain('sdk-clients.ts');
    const imports = all(source, /^(import .*['"]@modelcontextprotocol\/.*)$/gm);
    expect(imports.length).toBeGreaterThan(3);
    for (const line of imports) expect(line).toMatch(/^import type /);
  });
});
