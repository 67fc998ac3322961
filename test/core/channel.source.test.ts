import { describe, expect, it } from 'vitest';
import { findNoChannel, STREAM_LOST } from '../../packages/shim/src/handshake/channel.ts';
import type { HttpExchange } from '../../packages/shim/src/handshake/stream-state.ts';
import { ManualClock, settle } from '../support/manual-clock.ts';

const PLAIN_JSON = {
  reason: 'no-channel',
  detail:
    'the answer to this HTTP request is plain JSON, which cannot carry a question. ' +
    'Serve HTTP without enableJsonResponse to be able to ask',
};

/** What is found of an exchange that is as it says. */
function find(exchange: Partial<HttpExchange>) {
  const clock = new ManualClock();
  const found: unknown[] = [];
  const whole = { hasBegun: () => false, isGone: () => false, onGone: () => () => undefined, ...exchange };
  void findNoChannel(whole, clock).then((refusal) => found.push(refusal));
  return { clock, found };
}

describe('the channel of a call over HTTP', () => {
  it('is there once its response has begun', async () => {
    let hasBegun = false;
    const { clock, found } = find({ hasBegun: () => hasBegun });
    await clock.advance(10);
    expect(found).toEqual([]);
    hasBegun = true;
    await clock.advance(2);
    expect(found).toEqual([undefined]);
    expect(clock.pending).toBe(0);
  });

  it('is none where its response has not begun within 20 ms', async () => {
    const { clock, found } = find({});
    await clock.advance(19);
    expect(found).toEqual([]);
    await clock.advance(1);
    await settle();
    expect(found).toEqual([PLAIN_JSON]);
    expect(clock.pending).toBe(0);
  });

  it('is none where the client has gone, whether it has begun or not', async () => {
    for (const hasBegun of [true, false]) {
      const { clock, found } = find({ hasBegun: () => hasBegun, isGone: () => true });
      await clock.advance(20);
      await settle();
      expect(found).toEqual([STREAM_LOST]);
    }
    expect(STREAM_LOST).toEqual({
      reason: 'no-channel',
      detail: 'the client closed the stream of this call. With an event store it could come back to it',
    });
  });
});
