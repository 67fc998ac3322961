import { expect, it } from 'vitest';
import { NextTurn } from '../../packages/shim/src/handshake/wait.ts';
import { ManualClock, settle } from '../support/manual-clock.ts';

function open() {
  const clock = new ManualClock();
  const turn = new NextTurn(clock);
  const ran: string[] = [];
  return { clock, ran, add: (name: string) => turn.add(() => ran.push(name)) };
}

it('what waits for the next turn runs in it, together and once', async () => {
  const { clock, ran, add } = open();
  add('a');
  add('b');
  expect([ran, clock.pending]).toEqual([[], 1]);
  await settle();
  expect([ran, clock.pending]).toEqual([['a', 'b'], 0]);
  add('c');
  await settle();
  expect(ran).toEqual(['a', 'b', 'c']);
});

it('what is taken back does not run, and keeps nothing else from running', async () => {
  const { clock, ran, add } = open();
  const cancel = add('a');
  add('b');
  cancel();
  await settle();
  expect(ran).toEqual(['b']);
  add('c')();
  expect(clock.pending).toBe(0);
  await settle();
  expect(ran).toEqual(['b']);
});
