import { afterEach, expect, it } from 'vitest';
import { withoutStack } from '../../packages/shim/src/modern/without-stack.ts';

const { stackTraceLimit } = Error;
afterEach(() => {
  Error.stackTraceLimit = stackTraceLimit;
});

it.each([0, 3, Number.POSITIVE_INFINITY])(
  'lets the error through without a stack, and gives the limit %d back',
  (limit) => {
    Error.stackTraceLimit = limit;
    let thrown: unknown;
    try {
      withoutStack(() => {
        throw new Error('no');
      });
    } catch (error) {
      thrown = error;
    }
    expect((thrown as Error).stack).toBe('Error: no');
    expect(Error.stackTraceLimit).toBe(limit);
  },
);

it('gives the limit back where nothing is thrown', () => {
  withoutStack(() => undefined);
  expect(Error.stackTraceLimit).toBe(stackTraceLimit);
});
