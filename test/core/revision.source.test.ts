import { describe, expect, it } from 'vitest';
import {
  hasAudio,
  hasElicitation,
  hasElicitationIds,
  hasElicitationModes,
  hasKind,
  MODERN_REVISION,
  NEWEST_HANDSHAKE_REVISION,
  REVISIONS,
} from '../../packages/shim/src/core/revision.ts';

const KINDS = ['form', 'url', 'sampling', 'sampling.tools', 'roots'] as const;

describe('a revision', () => {
  it.each([
    ['2024-11-05', ['sampling', 'roots']],
    ['2025-03-26', ['sampling', 'roots']],
    ['2025-06-18', ['form', 'sampling', 'roots']],
    ['2025-11-25', ['form', 'url', 'sampling', 'sampling.tools', 'roots']],
    ['2026-07-28', ['form', 'url', 'sampling', 'sampling.tools', 'roots']],
  ])('%s has the kinds %j', (revision, kinds) => {
    expect(KINDS.filter((kind) => hasKind(revision, kind))).toStrictEqual(kinds);
  });

  it.each([
    [hasAudio, '2025-03-26'],
    [hasElicitation, '2025-06-18'],
    [hasElicitationModes, '2025-11-25'],
  ])('passes %O from %s on', (has, first) => {
    expect(REVISIONS.filter((revision) => has(revision))[0]).toBe(first);
    expect(REVISIONS.filter((revision) => has(revision) !== revision >= first)).toStrictEqual([]);
  });

  it('older than the first, which SDK v1 still takes, has no elicitation', () => {
    expect(hasKind('2024-10-07', 'form')).toBe(false);
  });

  it('has ids of elicitations in 2025-11-25 alone', () => {
    expect([...REVISIONS, undefined].filter(hasElicitationIds)).toStrictEqual(['2025-11-25']);
  });

  it('is modern as the last alone', () => {
    expect(REVISIONS.slice(-2)).toStrictEqual([NEWEST_HANDSHAKE_REVISION, MODERN_REVISION]);
  });

  it('is one of five, oldest first', () => {
    expect(REVISIONS).toStrictEqual(['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28']);
  });
});
