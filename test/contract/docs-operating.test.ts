import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { STATS } from '../command/metrics.ts';
import { runCommand } from '../support/command.ts';
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

  it('tells what the command says of figures without their quantiles', () => {
    const directory = mkdtempSync(join(tmpdir(), 'mcp-dual-era-figures-'));
    onTestFinished(() => rmSync(directory, { recursive: true }));
    const file = join(directory, 'metrics.json');
    const { quantiles: _left, ...answerTimes } = STATS.answerTimes;
    writeFileSync(file, JSON.stringify({ ...STATS, answerTimes }));
    const { status, stderr } = runCommand(['size', '--from', file, '--refused', '1%']);
    const said = /^mcp-dual-era size: --from: (.+)\n$/.exec(stderr)?.[1];
    expect([status, said]).toEqual([2, 'answerTimes.quantiles must be an array, got undefined']);
    expect(page).toContain(`it says \`${said}\``);
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
