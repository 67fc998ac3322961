import { describe, expect, it } from 'vitest';
import type { Call } from '../../packages/shim/src/handshake/call.ts';
import { Calls } from '../../packages/shim/src/handshake/calls.ts';
import { InputEnd } from '../../packages/shim/src/handshake/input-end.ts';

/** The end of the input of a connection with these calls. */
function open(...ids: readonly number[]) {
  const calls = new Calls();
  const inputEnd = new InputEnd(calls);
  const byId = new Map(ids.map((id) => [id, { request: { id }, progress: undefined } as unknown as Call]));
  for (const call of byId.values()) calls.add(call);
  let idle = 0;
  /** How often it was idle, once the input has ended and all is told. */
  const ended = async (): Promise<number> => {
    inputEnd.begin(() => {
      idle += 1;
    });
    inputEnd.check();
    expect(idle).toBe(0);
    await Promise.resolve();
    return idle;
  };
  const finish = (id: number): void => calls.delete(byId.get(id) as Call);
  return { inputEnd, ended, finish, idle: () => idle };
}

describe('a connection whose input has ended', () => {
  it('is idle where there is no call, which is told once', async () => {
    const { inputEnd, ended, idle } = open();
    expect(inputEnd.hasBegun).toBe(false);
    inputEnd.check();
    expect(await ended()).toBe(1);
    inputEnd.check();
    await Promise.resolve();
    expect([idle(), inputEnd.hasBegun]).toEqual([1, true]);
  });

  it('is not idle while a handler can finish, and is once it has', async () => {
    const { inputEnd, ended, finish, idle } = open(1);
    expect(await ended()).toBe(0);
    finish(1);
    inputEnd.check();
    await Promise.resolve();
    expect(idle()).toBe(1);
  });

  it.each<[string, readonly number[], readonly (number | undefined)[], number]>([
    ['one call that waits', [1], [1], 1],
    ['one call that waits for two answers, beside another one', [1, 2], [1, 1], 0],
    ['two calls that wait', [1, 2], [1, 2], 1],
    ['a request that may be of any call', [1], [undefined], 1],
    ['such a request, beside two calls', [1, 2], [undefined], 0],
    ['two such requests', [1, 2], [undefined, undefined], 1],
    ['such a request, and one of a call', [1, 2], [undefined, 1], 1],
    ['a request of a call that is over', [1], [9], 0],
  ])('is told by what its calls wait for: %s', async (_what, ids, relatedTo, idle) => {
    const { inputEnd, ended } = open(...ids);
    for (const [id, related] of relatedTo.entries()) inputEnd.addRequest(id, related);
    expect(await ended()).toBe(idle);
  });

  it('waits for a call whose request was answered, or given up', async () => {
    const [answered, cancelled] = [open(1), open(1)];
    for (const { inputEnd } of [answered, cancelled]) inputEnd.addRequest(0, 1);
    answered.inputEnd.deleteRequest(0);
    cancelled.inputEnd.noteCancellation({
      jsonrpc: '2.0',
      method: 'notifications/cancelled',
      params: { requestId: 0 },
    });
    expect([await answered.ended(), await cancelled.ended()]).toEqual([0, 0]);
  });

  it.each([
    { method: 'notifications/cancelled' },
    { method: 'notifications/cancelled', params: { requestId: 5 } },
    { method: 'notifications/other', params: { requestId: 0 } },
  ])('takes no other notification for a request that is given up: %j', async (notification) => {
    const { inputEnd, ended } = open(1);
    inputEnd.addRequest(0, 1);
    inputEnd.noteCancellation({ jsonrpc: '2.0', ...notification });
    expect(await ended()).toBe(1);
  });

  it('tells nobody once it is cleared', async () => {
    const { inputEnd, ended, finish, idle } = open(1);
    await ended();
    inputEnd.clear();
    finish(1);
    inputEnd.check();
    await Promise.resolve();
    expect(idle()).toBe(0);
  });
});
