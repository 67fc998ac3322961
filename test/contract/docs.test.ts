import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DEFAULT_REQUEST_TIMEOUT_MSEC } from '@modelcontextprotocol/sdk/shared/protocol.js';
import { type Field, type FormSchema, field, form, inputContext, inputRequired } from 'mcp-dual-era';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { PAGES, pathOf, read, withQuotes } from './quotes.ts';

const fencesOf = (page: string) => [...read(page).matchAll(/^```(.*)\n([\s\S]*?)^```$/gm)];

describe.each(PAGES)('%s', (page) => {
  it('quotes code only from files that run', () => {
    expect(read(page)).toBe(withQuotes(read(page)));
    for (const [, info = ''] of fencesOf(page)) expect(info).toMatch(/^(ts source=\S+#\S+|sh|mermaid|text output)$/);
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
    const names = namesIn(options, /readonly (\w+)\?:/g);
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
      /export type DualEraErrorCode =([\s\S]*?);/.exec(source('core/errors.ts'))?.[1] ?? '',
      /'(\w+)'/g,
    );
    expect(codes.length).toBeGreaterThan(3);
    for (const code of codes) expect([...sections.keys()]).toContain(code);
  });

  it('quotes what a server that is not wrapped says', () => {
    const { content } = inputRequired({ inputRequests: { where: inputRequired.listRoots() } });
    const text = content[0]?.text ?? '';
    const [heading] = text.split('. ');
    expect(sections.get(heading ?? '')).toContain(`> ${text}`);
  });

  it.each([
    ['bounds the wrong way round', () => form({ seats: field.integer({ minimum: 2, maximum: 1 }) })],
    ['a default that is no answer', () => form({ seats: field.integer({ maximum: 8, default: 9 }) })],
    ['what a form cannot say', () => asked(z.object({ seats: z.number().positive() }))],
    ['the arguments for extra', () => inputContext({ seats: 2 } as never)],
    ['an ask for nothing', () => inputRequired({})],
    ['a misspelt member', () => inputRequired({ requestStat: 1 } as never)],
  ])('quotes the message for %s', (_what, mistake) => {
    let message = '';
    try {
      mistake();
    } catch (error) {
      message = error instanceof Error ? error.message : '';
    }
    expect(message).not.toBe('');
    expect(page).toContain(`\`${message}\``);
  });
});

function asked(requestedSchema: z.ZodType): FormSchema {
  const { params } = inputRequired.elicit({ message: 'Well?', requestedSchema });
  return (params as { requestedSchema: FormSchema }).requestedSchema;
}

describe('docs/asking.md', () => {
  const page = read('docs/asking.md');
  const rows = [...page.matchAll(/^\| `(field\..+?)` \| (?:`(.+?)`)? ?\| `(\{.+?\})` \|/gm)].map(
    ([, built = '', zod, json = '']) => ({ built, zod, json }),
  );
  // The cells are code of the page itself, which is reviewed as code is.
  const evaluate = (code: string): unknown => new Function('field', 'z', `return ${code}`)(field, z);

  it('has a row for every type of field', () => {
    const built = new Set(rows.map((row) => /^field\.(\w+)/.exec(row.built)?.[1]));
    expect([...built].sort()).toEqual(Object.keys(field).sort());
  });

  it.each(rows)('$built comes to the schema that it is said to', ({ built, zod, json }) => {
    expect(form({ it: evaluate(built) as Field<unknown> }).properties).toEqual({ it: JSON.parse(json) });
    if (zod !== undefined)
      expect(asked(z.object({ it: evaluate(zod) as z.ZodType })).properties).toEqual({ it: JSON.parse(json) });
  });

  it.each([
    z.number().positive(),
    z.number().gt(0),
    z.string().regex(/a/),
    z.uuid(),
    z.string().startsWith('a'),
    z.string().nullable(),
    z.string().nullish(),
    z.union([z.literal('a'), z.literal('b')]),
    z.object({ inner: z.string() }),
    z.number().multipleOf(2),
    z.array(z.string()),
  ])('what it says a form cannot say is refused, case %#', (unsayable) => {
    expect(() => asked(z.object({ it: unsayable }))).toThrow(/^This schema cannot be a form: field "it": /);
  });

  it('tells the limits that the code has', () => {
    const limit = (file: string, name: string) =>
      Number(new RegExp(`${name} = ([\\d_]+);`).exec(source(file))?.[1]?.replaceAll('_', ''));
    const spaced = (count: number) => String(count).replace(/\B(?=(\d{3})+$)/g, ' ');
    expect(page).toContain(`more than ${spaced(limit('core/answer.ts', 'MOST_MEMBERS'))} members`);
    expect(page).toContain(`more than ${spaced(limit('core/answer.ts', 'MOST_CHARACTERS'))} characters`);
    expect(limit('core/repeated-ask.ts', 'UNUSABLE_LIMIT')).toBe(3);
    expect(page).toContain('at most two more times');
  });
});

describe('docs/start.md', () => {
  it("tells the time-out of SDK v1's clients", () => {
    expect(read('docs/start.md')).toContain(`after ${DEFAULT_REQUEST_TIMEOUT_MSEC / 1000} seconds`);
  });
});
