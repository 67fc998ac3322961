import { expect, it } from 'vitest';
import type { CheckedRequest } from '../../packages/shim/src/core/check-ask.ts';
import { CallOnce } from '../../packages/shim/src/handshake/once-results.ts';
import { RoundAnswers } from '../../packages/shim/src/handshake/round-answers.ts';

const asked = (key: string): CheckedRequest => ({ key, kind: 'roots', method: 'roots/list', params: {} });

it('the answers of a round are told by the keys of its questions', () => {
  const answers = new RoundAnswers();
  expect(answers.asked).toEqual([]);
  const [good, bad, poor] = [asked('good'), asked('bad'), asked('poor')];
  answers.add(good, { outcome: 'answered', answer: { roots: [] } });
  expect([answers.failed, answers.invalid]).toEqual([undefined, undefined]);
  answers.add(bad, { outcome: 'malformed', failed: { reason: 'malformed' }, poor: 'malformed' });
  const issues = [{ path: 'a', message: 'is required' }];
  answers.add(poor, { outcome: 'accepted', answer: { action: 'accept' }, invalid: issues, poor: 'unusable' });
  expect(answers.responses).toEqual({ good: { roots: [] }, poor: { action: 'accept' } });
  expect([...(answers.failed ?? [])]).toEqual([['bad', { reason: 'malformed' }]]);
  expect([...(answers.invalid ?? [])]).toEqual([['poor', issues]]);
  expect(['good', 'other'].map((key) => answers.questionUnder(key))).toEqual([good, undefined]);
  for (const key of ['good', 'bad', 'other']) answers.noteUnusable(key);
  expect(answers.asked).toEqual([
    [good, 'unusable'],
    [bad, 'malformed'],
    [poor, 'unusable'],
  ]);
});

it('the effects of a call are told by their keys', () => {
  const once = new CallOnce();
  expect(once.get('charge')).toBeUndefined();
  once.set('charge', '1');
  once.set('mail', '2');
  expect(['charge', 'mail', 'other'].map((key) => once.get(key))).toEqual(['1', '2', undefined]);
});
