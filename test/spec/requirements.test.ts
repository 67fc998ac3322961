import { describe, expect, it } from 'vitest';
import { namesIn, readCitations } from './citations.ts';
import { REQUIREMENTS } from './requirements.ts';

const ids = REQUIREMENTS.map(({ id }) => id);
const cited = readCitations();

describe('the requirements', () => {
  it('have ids of their own', () => {
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
  });

  it('are each cited by a test', () => {
    const known = new Set(cited.map(({ id }) => id));
    expect(ids.filter((id) => !known.has(id))).toEqual([]);
  });

  // F and V are the ids of the field reports and of the wire vectors, which have checks of their own.
  it('are all that tests cite', () => {
    const unknown = cited.filter(({ id }) => !/^[FV]/.test(id) && !ids.includes(id));
    expect(unknown).toEqual([]);
  });
});

describe('the reader of citations', () => {
  it('finds the names of tests and groups, in tables and templates too', () => {
    const source = [
      "describe.each(METHODS)('[H1] a', () => {",
      "  it.each([['[H9] no name', 1]])('[H2a] b %s', () => { call('[H9] no name'); });",
      // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the source of a template.
      '  it(`[H3b] c ${name} [S4]`, () => undefined);',
      "  describeTransports('[H4a] d', () => undefined);",
      '});',
      "// it('[H9] no code')",
    ].join('\n');
    expect(namesIn(source)).toEqual(['[H1] a', '[H2a] b %s', '[H3b] c ', ' [S4]', '[H4a] d']);
  });
});
