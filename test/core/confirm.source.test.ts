import { inputContext } from 'mcp-dual-era';
import { describe, expect, it } from 'vitest';
import type { Json } from '../support/json.ts';
import { deliver } from './delivery.ts';

const SURE = { message: 'Sure?' };
const YES = { action: 'accept', content: { confirmed: true } };

/** What `confirm` gives in a run with `members`, and what it kept. */
function confirmed(members: Json, { wasAsked = true, earlier }: { wasAsked?: boolean; earlier?: 'yes' | 'no' } = {}) {
  const kept: unknown[] = [];
  const confirmations = {
    wasAsked: () => wasAsked,
    decided: () => earlier,
    decide: (key: string, _params: object, decision: string) => void kept.push([key, decision]),
  };
  const { ask, decision } = inputContext(deliver({ confirmations, ...members })).confirm('q', SURE);
  return { isAsked: ask !== undefined, decision, kept };
}

const asks = { isAsked: true, decision: undefined, kept: [] };
const decides = (decision: 'yes' | 'no') => ({ isAsked: false, decision, kept: [['q', decision]] });

describe('confirm', () => {
  it('is a yes on an explicit yes to what was asked', () => {
    expect(confirmed({ responses: { q: YES } })).toEqual(decides('yes'));
  });

  it.each([
    ['nothing came', {}],
    ['other answers came', { responses: { other: YES } }],
    ['something failed, of another question', { responses: {}, failed: new Map([['other', { reason: 'malformed' }]]) }],
    ['an answer is inherited', { responses: Object.create({ q: YES }) }],
  ])('asks where %s', (_name, members) => {
    expect(confirmed(members)).toEqual(asks);
  });

  it('asks where the answer is one to something else', () => {
    expect(confirmed({ responses: { q: YES } }, { wasAsked: false })).toEqual(asks);
  });

  it('asks where nobody keeps what was asked', () => {
    expect(confirmed({ responses: { q: YES }, confirmations: undefined })).toEqual(asks);
  });

  it.each([
    ['is declined', { responses: { q: { action: 'decline' } } }],
    ['has another field', { responses: { q: { action: 'accept', content: { other: true } } } }],
    ['has a text in the field', { responses: { q: { action: 'accept', content: { confirmed: 'true' } } } }],
    ['is an error', { responses: {}, failed: new Map([['q', { reason: 'client-error', code: -1 }]]) }],
    ['is not as the form asked', { responses: { q: YES }, invalid: new Map([['q', []]]) }],
  ])('is a no where the answer %s', (_name, members) => {
    expect(confirmed(members)).toEqual(decides('no'));
  });

  it.each(['yes', 'no'] as const)('is what was decided earlier in the call, whatever comes now: %s', (earlier) => {
    const expected = { isAsked: false, decision: earlier, kept: [] };
    expect(confirmed({ responses: { q: YES } }, { earlier })).toEqual(expected);
    expect(confirmed({ responses: { q: { action: 'decline' } } }, { earlier })).toEqual(expected);
  });
});
