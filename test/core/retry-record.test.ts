import { inputContext } from 'mcp-dual-era';
import { describe, expect, it, vi } from 'vitest';
import { deliver, sharedRecords } from './delivery.ts';

describe('the records beside deliveries', () => {
  it('hang on the _meta object itself, not on one that looks like it', () => {
    const extra = deliver({ round: 2 });
    expect(inputContext({ _meta: extra._meta }).round).toBe(2);
    expect(inputContext({ _meta: { ...extra._meta } }).round).toBe(0);
  });

  it('are kept weakly, so that they go with their delivery', () => {
    expect(sharedRecords()).toBeInstanceOf(WeakMap);
  });

  it('are shared by a second copy of the package', async () => {
    const records = sharedRecords();
    vi.resetModules();
    const copy = await import('mcp-dual-era');
    expect(copy.inputContext).not.toBe(inputContext);
    expect(sharedRecords()).toBe(records);
    expect(copy.inputContext(deliver({ round: 2 })).round).toBe(2);
  });

  it('of calls that were not delivered remember nothing', () => {
    const first = inputContext({});
    expect(first.canAsk('form')).toBe(false);
    expect(inputContext({}).round).toBe(0);
  });
});
