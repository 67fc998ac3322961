import { describe, expect, it } from 'vitest';
import { read } from './quotes.ts';

const sectionsOf = (page: string): Map<string, string> =>
  new Map(
    read(page)
      .split(/^## /m)
      .slice(1)
      .map((section) => [section.slice(0, section.indexOf('\n')), section.slice(section.indexOf('\n'))]),
  );
const root = sectionsOf('README.md');
const packed = sectionsOf('packages/shim/README.md');

describe('the README of the package', () => {
  it.each(['A tool that asks', 'Both eras', 'Entries', 'Requirements', 'You do not need it', 'What it promises'])(
    'says in "%s" what that of the repository says, without links, which lead nowhere from the package',
    (heading) => {
      expect(packed.get(heading)).toBe(root.get(heading)?.replaceAll(/\[([^\]]+)\]\([^)\s]+\)/g, '$1'));
    },
  );

  it('links to nothing', () => {
    expect(read('packages/shim/README.md')).not.toMatch(/\]\(/);
  });

  it('has a row for every entry, and names every optional peer', () => {
    const manifest = JSON.parse(read('packages/shim/package.json')) as Record<string, Record<string, unknown>>;
    const entries = Object.keys(manifest['exports'] ?? {}).filter((entry) => entry !== './package.json');
    const rows = [...(packed.get('Entries') ?? '').matchAll(/^\| `(mcp-dual-era[^`]*)` \|/gm)].map(([, name]) => name);
    expect(rows).toEqual(expect.arrayContaining(entries.map((entry) => entry.replace('.', 'mcp-dual-era'))));
    expect(rows).toHaveLength(entries.length);
    for (const peer of Object.keys(manifest['peerDependenciesMeta'] ?? {}))
      expect(packed.get('Entries')).toContain(`\`${peer}\``);
  });
});
