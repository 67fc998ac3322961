import { describe, expect, it, vi } from 'vitest';
import { isUnwantedPromise } from '../../packages/shim/src/core/thenable.ts';

describe('isUnwantedPromise', () => {
  it.each<[string, () => unknown]>([
    ["the platform's own", () => Promise.resolve(1)],
    ['that of an async function', async () => 1],
    // biome-ignore lint/suspicious/noThenProperty: a promise that is not the platform's own.
    ['of another kind', () => ({ then: () => undefined })],
  ])('knows a promise: %s', (_name, make) => {
    expect(isUnwantedPromise(make())).toBe(true);
  });

  it.each<[unknown]>([
    [undefined],
    [null],
    ['then'],
    [7],
    [{}],
    [[]],
    // biome-ignore lint/suspicious/noThenProperty: a member that is no method.
    [{ then: true }],
    [() => Promise.resolve()],
  ])('knows that %j is none', (value) => {
    expect(isUnwantedPromise(value)).toBe(false);
  });

  it('takes over the rejection, which would end the process', () => {
    const rejection = Promise.reject(new Error('late'));
    const handle = vi.spyOn(rejection, 'then');
    isUnwantedPromise(rejection);
    const handlers = handle.mock.calls.flat();
    rejection.catch(() => undefined);
    expect(handlers.map((handler) => typeof handler)).toStrictEqual(['function', 'function']);
    expect(handlers.map((handler) => handler?.(new Error('late') as never))).toStrictEqual([undefined, undefined]);
  });
});
