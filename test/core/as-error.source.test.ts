import { expect, it } from 'vitest';
import { asError } from '../../packages/shim/src/core/errors.ts';

it('what was thrown is an error: itself, or one that says it', () => {
  const error = new TypeError('no');
  expect(asError(error)).toBe(error);
  expect(asError('no')).toStrictEqual(new Error('no'));
  expect(asError(undefined)).toStrictEqual(new Error('undefined'));
});
