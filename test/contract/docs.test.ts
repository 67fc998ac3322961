import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { PAGES, pathOf, read, withQuotes } from './quotes.ts';

const fencesOf = (page: string) => [...read(page).matchAll(/^```(.*)\n([\s\S]*?)^```$/gm)];

describe.each(PAGES)('%s', (page) => {
  it('quotes code only from files that run', () => {
    expect(read(page)).toBe(withQuotes(read(page)));
    for (const [, info = ''] of fencesOf(page)) expect(info).toMatch(/^(ts source=\S+#\S+|sh|mermaid)$/);
  });

  it('names only commands that exist', () => {
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
    for (const [, info, body = ''] of fencesOf(page)) {
      if (info !== 'sh') continue;
      for (const [, script = ''] of body.matchAll(/pnpm@\S+ run (\S+)/g))
        expect(Object.keys(scripts)).toContain(script);
    }
  });

  it('links only to pages and headings that exist', () => {
    for (const [, target = ''] of read(page).matchAll(/\]\(([^)\s]+)\)/g)) {
      if (target.startsWith('https://')) continue;
      const [path = '', anchor] = target.split('#');
      const file = path === '' ? pathOf(page) : pathOf(join(dirname(page), path));
      expect(existsSync(file), `${page} links to ${target}`).toBe(true);
      if (anchor === undefined) continue;
      const headings = [...readFileSync(file, 'utf8').matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => slug(heading));
      expect(headings, `${page} links to ${target}`).toContain(anchor);
    }
  });
});

function slug(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\w\- ]/g, '')
    .replaceAll(' ', '-');
}

// What the pages say of the code is read out of the code; the files exist next to the suite, whatever it runs on.
const source = (file: string): string => read(`packages/shim/src/${file}`);
const namesIn = (text: string, pattern: RegExp): string[] => [...text.matchAll(pattern)].map(([, name = '']) => name);

describe('docs/options.md', () => {
  const rows = namesIn(read('docs/options.md'), /^\| `([\w.]+)` \|/gm);

  it('has a row for every option and every event', () => {
    const options = /export interface InputRequiredOptions \{([\s\S]*?)\n\}/.exec(source('core/options.ts'))?.[1] ?? '';
    const names = namesIn(options, /readonly (\w+)\?:/g).map((name) =>
      name === 'requestState' ? 'requestState.maxBytes' : name,
    );
    expect(names.length).toBeGreaterThan(8);
    expect(rows).toEqual(expect.arrayContaining(names));
    const events = namesIn(source('core/events.ts'), /type: '([\w-]+)'/g);
    expect(namesIn(read('docs/options.md'), /^\| `([\w-]+)` \| [^|]+ \| [^|]*\|$/gm)).toEqual(
      expect.arrayContaining([...new Set(events)]),
    );
  });

  it('tells the defaults that the docstrings tell', () => {
    const docstrings = source('core/options.ts').matchAll(
      /@defaultValue ([^\n*]+?)(?: \*\/)?\n(?:\s*\*\/\n)?\s*readonly (\w+)\?/g,
    );
    const defaults = new Map([...docstrings].map(([, value = '', name = '']) => [name, value.replaceAll(/[' ]/g, '')]));
    expect(defaults.get('roundTimeout')).toBe('600000');
    for (const name of ['maxRounds', 'roundTimeout', 'legs', 'onFailedLeg', 'onRepeatedAsk', 'heartbeat']) {
      const row =
        read('docs/options.md')
          .split('\n')
          .find((line) => line.startsWith(`| \`${name}\``)) ?? '';
      expect(row.split('|')[3]?.replaceAll(/[`' ]/g, '')).toBe(defaults.get(name));
    }
  });
});

describe('docs/errors.md', () => {
  const page = read('docs/errors.md');
  const sections = new Map(
    page
      .split(/^### /m)
      .slice(1)
      .map((section) => [section.slice(0, section.indexOf('\n')), section]),
  );

  it('has a heading for every reason, with the sentence that the code sends', () => {
    const explanations = [
      ...source('core/outcome.ts').matchAll(/^ {2}'?([\w-]+)'?: '(it(?:s)? [^']+|too [^']+|the client [^']+)',$/gm),
    ];
    const reasons = namesIn(
      /export type OutcomeReason =([\s\S]*?);/.exec(source('core/outcome.ts'))?.[1] ?? '',
      /'([\w-]+)'/g,
    );
    expect(explanations.map(([, reason]) => reason).sort()).toEqual([...reasons].sort());
    for (const [, reason = '', sentence = ''] of explanations) expect(sections.get(reason)).toContain(`> ${sentence}`);
  });

  it('has a heading for every code of a DualEraError', () => {
    const codes = namesIn(
      /export type DualEraErrorCode = ([\s\S]*?);/.exec(source('core/errors.ts'))?.[1] ?? '',
      /'(\w+)'/g,
    );
    expect(codes.length).toBeGreaterThan(3);
    for (const code of codes) expect([...sections.keys()]).toContain(code);
  });
});
