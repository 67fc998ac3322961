import { describe, expect, it } from 'vitest';
import { read } from './quotes.ts';

const page = read('docs/operating.md');
const source = (file: string): string => read(`packages/shim/src/${file}`);
const membersOf = (text: string, name: string): string =>
  new RegExp(`export interface ${name} \\{([\\s\\S]*?)\\n\\}`).exec(text)?.[1] ?? '';

describe('docs/operating.md', () => {
  it('has a row for every option of createHolds, with the default that its docstring tells', () => {
    const body = membersOf(source('handshake/holds.ts'), 'HoldsOptions');
    const declared = [
      ...body.matchAll(/@defaultValue ([^\n*:]+?)(?::[^\n*]*)?(?: \*\/)?\n(?:\s*\*\/\n)?\s*readonly (\w+)\?/g),
    ];
    const bare = (text = ''): string => text.replaceAll(/[`' ]|own$/g, '');
    const rows = [...page.matchAll(/^\| `(\w+)` \| [^|]+ \| ([^|]+) \| [^|]+ \|$/gm)];
    expect(declared.map(([, , name]) => name)).toEqual([...body.matchAll(/readonly (\w+)\?/g)].map(([, name]) => name));
    expect(rows.map(([, name, value]) => [name, bare(value)])).toEqual(
      declared.map(([, value, name]) => [name, bare(value)]),
    );
  });

  it('has a row for every figure', () => {
    const names = [...membersOf(source('core/holds.ts'), 'HoldStats').matchAll(/readonly (\w+):/g)].map(
      ([, name]) => name,
    );
    const table = /\| member \| what it tells \|\n[\s\S]*?\n\n/.exec(page)?.[0] ?? '';
    const told = [...table.matchAll(/^\| (.+?) \|/gm)].flatMap(([, cell = '']) =>
      [...cell.matchAll(/`(\w+)`/g)].map(([, name]) => name),
    );
    expect(told).toEqual(names);
  });
});
