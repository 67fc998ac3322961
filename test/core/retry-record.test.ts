import { type HandlerExtra, inputContext } from 'mcp-dual-era';
import { describe, expect, it, vi } from 'vitest';
import { collectGarbage } from '../support/collect-garbage.ts';
import { deliver, sharedRecords } from './delivery.ts';

describe('the records beside deliveries', () => {
  it('hang on the _meta object itself, not on one that looks like it', () => {
    const extra = deliver({ round: 2 });
    expect(inputContext({ _meta: extra._meta }).round).toBe(2);
    expect(inputContext({ _meta: { ...extra._meta } }).round).toBe(0);
  });

  it('leave no trace on the _meta object that a handler or a client could read, copy or set', () => {
    const { _meta: meta } = deliver({ round: 2 });
    expect(Reflect.ownKeys(meta ?? {})).toEqual([]);
    expect(Object.getPrototypeOf(meta)).toBe(Object.prototype);
    expect(inputContext({ _meta: structuredClone(meta) }).round).toBe(0);
  });

  it('go with their delivery', async () => {
    const isCollected = async (responses: WeakRef<object>): Promise<boolean> => {
      await new Promise((resolve) => setImmediate(resolve));
      collectGarbage();
      return responses.deref() === undefined;
    };
    const watch = (): { extra: HandlerExtra; responses: WeakRef<object> } => {
      const responses = { q: {} };
      return { extra: deliver({ responses }), responses: new WeakRef(responses) };
    };
    const [kept, dropped] = [watch(), watch().responses];
    expect(await isCollected(dropped)).toBe(true);
    expect(await isCollected(kept.responses)).toBe(false);
    expect(inputContext(kept.extra).round).toBe(1);
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
