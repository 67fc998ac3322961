import { describe, expect, it } from 'vitest';
import { readCitations } from './citations.ts';
import { FIELD_REPORTS } from './field-reports.ts';

const cited = readCitations().filter(({ id }) => id.startsWith('F'));

describe('the field reports', () => {
  it('are all listed, from F01 to F53', () => {
    const ids = Array.from({ length: 53 }, (_, index) => `F${String(index + 1).padStart(2, '0')}`);
    expect(Object.keys(FIELD_REPORTS)).toEqual(ids);
  });

  it('each have a test with their id in its name in the file that the list names', () => {
    const missing = Object.entries(FIELD_REPORTS).filter(
      ([id, { file }]) => !cited.some((one) => one.id === id && one.file === file),
    );
    expect(missing).toEqual([]);
  });

  it('are the only ones that tests cite', () => {
    expect(cited.filter(({ id }) => FIELD_REPORTS[id] === undefined)).toEqual([]);
  });
});
