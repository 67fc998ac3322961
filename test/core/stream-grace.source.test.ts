import { describe, expect, it } from 'vitest';
import { StreamGrace } from '../../packages/shim/src/handshake/stream-grace.ts';
import { type HttpExchange, StreamState } from '../../packages/shim/src/handshake/stream-state.ts';
import { ManualClock } from '../support/manual-clock.ts';

function grace(ms: number | undefined) {
  const clock = new ManualClock();
  const given = new StreamGrace(ms, clock);
  let lost = 0;
  const wait = (): (() => void) =>
    given.wait(() => {
      lost += 1;
    });
  return { clock, given, wait, lost: () => lost };
}

describe('the time that a client has to come back', () => {
  it('is over once, after the whole of it', async () => {
    const { clock, wait, lost } = grace(1_000);
    wait();
    await clock.advance(999);
    expect(lost()).toBe(0);
    await clock.advance(1);
    expect(lost()).toBe(1);
    expect(clock.pending).toBe(0);
  });

  it('has no end where none was given', async () => {
    const { clock, given, wait, lost } = grace(undefined);
    const stop = wait();
    given.attach()();
    expect(clock.pending).toBe(0);
    stop();
    expect(lost()).toBe(0);
  });

  it('is waited for no more by whom it was stopped', async () => {
    const { clock, given, wait, lost } = grace(1_000);
    const stop = wait();
    stop();
    expect(clock.pending).toBe(0);
    given.attach()();
    expect(clock.pending).toBe(0);
    expect(lost()).toBe(0);
  });

  it('stands still while a stream is attached, and begins anew when the last one is gone', async () => {
    const { clock, given, wait, lost } = grace(1_000);
    wait();
    await clock.advance(900);
    const [first, second] = [given.attach(), given.attach()];
    expect(clock.pending).toBe(0);
    first();
    // A second end of the same stream is none of the other's.
    first();
    expect(clock.pending).toBe(0);
    second();
    await clock.advance(999);
    expect(lost()).toBe(0);
    await clock.advance(1);
    expect(lost()).toBe(1);
    expect(clock.pending).toBe(0);
  });

  it('does not begin while a stream is attached', async () => {
    const { clock, given, wait, lost } = grace(1_000);
    const detach = given.attach();
    wait();
    expect(clock.pending).toBe(0);
    detach();
    await clock.advance(1_000);
    expect(lost()).toBe(1);
  });

  it('is each waiter’s own', async () => {
    const { clock, wait, lost } = grace(1_000);
    wait();
    await clock.advance(500);
    wait();
    await clock.advance(500);
    expect(lost()).toBe(1);
    await clock.advance(500);
    expect(lost()).toBe(2);
  });
});

/** A stream of a client that has `ms` to come back, and who listens to its end. */
function stream(ms: number | undefined = 1_000) {
  const clock = new ManualClock();
  const state = new StreamState(new StreamGrace(ms, clock));
  const exchange: HttpExchange = state.exchange(() => false);
  let gone = 0;
  const listen = (): (() => void) =>
    exchange.onGone(() => {
      gone += 1;
    });
  return { clock, state, exchange, listen, gone: () => gone };
}

describe('a stream that is closed', () => {
  it('is lost at once where the client has no event id to come back with', () => {
    const { clock, state, exchange, listen, gone } = stream();
    listen();
    state.note('event: message\ndata: 1\n\n');
    expect([exchange.isGone(), gone()]).toEqual([false, 0]);
    state.close();
    expect([exchange.isGone(), gone(), clock.pending]).toEqual([true, 1, 0]);
  });

  it.each([
    ['a text', 'id: 7\ndata: 1\n\n'],
    ['a text of an event with a name', 'event: message\nid: 7\ndata: 1\n\n'],
    ['bytes', new TextEncoder().encode('event: message\nid: 7\ndata: 1\n\n')],
  ])('is lost when the time to come back is over, where it had an event id: %s', async (_name, chunk) => {
    const { clock, state, exchange, listen, gone } = stream();
    listen();
    state.note(chunk);
    // One is enough: what comes after it does not take it back.
    state.note('data: 2\n\n');
    state.close();
    expect([exchange.isGone(), gone()]).toEqual([false, 0]);
    await clock.advance(1_000);
    expect([exchange.isGone(), gone(), clock.pending]).toEqual([true, 1, 0]);
  });

  it.each([
    ['in the data', 'data: x\nid: 7\n\n'],
    ['behind an event', 'event: message\ndata: id: 7\n\n'],
    ['far behind', `event: ${'m'.repeat(40)}\nid: 7\n`],
    ['after something else', ' id: 7\n'],
    ['in no text at all', 7],
    ['in nothing', undefined],
  ])('has no event id %s', (_name, chunk) => {
    const { state, exchange, listen } = stream();
    listen();
    state.note(chunk);
    state.close();
    expect(exchange.isGone()).toBe(true);
  });

  it('is waited for only while somebody listens', async () => {
    const { clock, state, listen, gone } = stream();
    state.note('id: 7\n');
    state.close();
    expect(clock.pending).toBe(0);
    const [first, second] = [listen(), listen()];
    expect(clock.pending).toBe(1);
    first();
    expect(clock.pending).toBe(1);
    second();
    expect(clock.pending).toBe(0);
    // Whoever listens after that has the whole time.
    listen();
    await clock.advance(1_000);
    expect(gone()).toBe(1);
  });

  it('is not waited for again once it is lost', () => {
    const { clock, state, listen } = stream();
    state.close();
    state.note('id: 7\n');
    state.close();
    listen();
    expect(clock.pending).toBe(0);
  });

  it('is not waited for while it is open', () => {
    const { clock, state, listen } = stream();
    state.note('id: 7\n');
    listen();
    expect(clock.pending).toBe(0);
  });
});
