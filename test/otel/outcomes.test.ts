import { SpanStatusCode } from '@opentelemetry/api';
import { createHolds, type HoldsOptions, type InputRequiredOptions } from 'mcp-dual-era';
import { describe, expect, it } from 'vitest';
import { ADA, ALL_CAPABILITIES, ask, form, roots } from '../support/asks.ts';
import { settle } from '../support/manual-clock.ts';
import { openHttpSession } from '../support/open-http.ts';
import { clockSession, play } from '../support/session.ts';
import { type Observed, observed, outcomes } from './observed.ts';

const CAPABLE = { capabilities: ALL_CAPABILITIES };
const ASK = [ask({ who: form() })];
const LEG = 'elicitation/create';
const CALL = 'tools/call script';

async function open(options: InputRequiredOptions = {}, limits: HoldsOptions = {}) {
  const holds = createHolds(limits);
  const seen = observed({ holds });
  const opened = await clockSession(CAPABLE, { options: { ...options, holds, telemetry: seen.telemetry } });
  return { ...opened, holds, seen };
}

/** Every span that began has ended, and nothing of the calls is kept: a further question of theirs begins none. */
async function expectNothingLeft({ spans, telemetry }: Observed, events: readonly object[]): Promise<void> {
  await settle();
  expect(spans.ended).toHaveLength(spans.started.length);
  const { length } = spans.started;
  for (const event of events) {
    if ('type' in event && event.type === 'leg-start') telemetry.onEvent(event as never);
  }
  expect(events.length).toBeGreaterThan(0);
  expect(spans.started).toHaveLength(length);
}

describe('[T1b] the spans of a call tell how it ended', () => {
  it('accepted', async () => {
    const { peer, seen, events } = await open();
    await play(peer, ASK);
    await peer.answer(await peer.next(), ADA);
    await peer.next();
    expect(outcomes(seen)).toEqual([`${LEG}: accepted`, `${CALL}: answered`]);
    await expectNothingLeft(seen, events);
  });

  it.each([
    ['decline', 'declined'],
    ['cancel', 'cancelled'],
  ])('%s, which is no error', async (action, outcome) => {
    const { peer, seen, events } = await open();
    await play(peer, [...ASK, ...ASK]);
    await peer.answer(await peer.next(), { action });
    await peer.next();
    expect(outcomes(seen)).toEqual([`${LEG}: ${outcome}`, `${CALL}: ${outcome}`]);
    await expectNothingLeft(seen, events);
  });

  it('a time-out, in which the question that was not put has no span', async () => {
    const { peer, clock, seen, events } = await open({ roundTimeout: 5_000 });
    await play(peer, [ask({ who: form(), where: roots() })]);
    await peer.next();
    await clock.advance(5_000);
    await peer.next();
    await peer.next();
    expect(outcomes(seen)).toEqual([`${LEG}: timeout, an error`, `${CALL}: timeout, an error`]);
    expect(seen.spans.ended.map(({ attributes }) => attributes['error.type'])).toEqual(['timeout', 'timeout']);
    await expectNothingLeft(seen, events);
  });

  it("a client's error, which ends the other questions of the round", async () => {
    const { peer, seen, events } = await open({ legs: 'concurrent' });
    await play(peer, [ask({ who: form(), where: roots() })]);
    await peer.answerError(await peer.next(), -32603);
    await peer.rest();
    expect(outcomes(seen)).toEqual([
      `${LEG}: client-error, an error`,
      'roots/list: round-ended',
      `${CALL}: client-error, an error`,
    ]);
    await expectNothingLeft(seen, events);
  });

  it('no answer to the question', async () => {
    const { peer, seen, events } = await open();
    await play(peer, ASK);
    await peer.answer(await peer.next(), { action: 'perhaps' });
    await peer.next();
    expect(outcomes(seen)).toEqual([`${LEG}: malformed, an error`, `${CALL}: answered`]);
    await expectNothingLeft(seen, events);
  });

  it('called off by the caller, which is no error', async () => {
    const { peer, seen, events } = await open();
    const id = await play(peer, ASK);
    await peer.next();
    await peer.cancel(id);
    await peer.next();
    await settle();
    expect(outcomes(seen)).toEqual([`${LEG}: call-cancelled`, `${CALL}: call-cancelled`]);
    await expectNothingLeft(seen, events);
  });

  it('a connection that was closed', async () => {
    const { peer, seen, events } = await open();
    await play(peer, ASK);
    await peer.next();
    await peer.close();
    await settle();
    expect(outcomes(seen)).toEqual([`${LEG}: closed, an error`, `${CALL}: closed, an error`]);
    await expectNothingLeft(seen, events);
  });

  it('a mistake of the server after a round', async () => {
    const { peer, seen, events } = await open();
    await play(peer, [...ASK, { resultType: 'input_required', inputRequests: { who: { method: 'x' } } }]);
    await peer.answer(await peer.next(), ADA);
    await peer.next();
    expect(outcomes(seen)).toEqual([`${LEG}: accepted`, `${CALL}: server-error, an error`]);
    await expectNothingLeft(seen, events);
  });

  it('too many rounds', async () => {
    const { peer, seen, events } = await open({ maxRounds: 1 });
    await play(peer, [...ASK, ask({ else: form() })]);
    await peer.answer(await peer.next(), ADA);
    await peer.next();
    expect(outcomes(seen)).toEqual([`${LEG}: accepted`, `${CALL}: rounds-exceeded, an error`]);
    await expectNothingLeft(seen, events);
  });

  it('a drained server', async () => {
    const { peer, seen, events, holds } = await open();
    await play(peer, ASK);
    await peer.next();
    expect(await holds.drain(0)).toEqual({ finished: 0, ended: 1 });
    await peer.next();
    await peer.next();
    expect(outcomes(seen)).toEqual([`${LEG}: round-ended`, `${CALL}: busy, an error`]);
    await expectNothingLeft(seen, events);
  });

  it('a stream that is gone', async () => {
    const seen = observed();
    const opened = await openHttpSession('node', CAPABLE, { options: { telemetry: seen.telemetry } });
    const id = await play(opened.peer, ASK);
    await opened.peer.next();
    opened.client.post(id).drop();
    await expect.poll(() => outcomes(seen)).toEqual([`${LEG}: no-channel, an error`, `${CALL}: no-channel, an error`]);
    await expectNothingLeft(seen, opened.events);
  });
});

describe('[T1b] a call that gets no place', () => {
  it('has no span, and is counted as refused', async () => {
    const { peer, seen } = await open({}, { max: 1 });
    await play(peer, ASK);
    const leg = await peer.next();
    await play(peer, ASK);
    await peer.next();
    expect(seen.spans.started).toHaveLength(2);
    expect((await seen.metrics())['mcp_dual_era.calls.refused']).toEqual({ '': 1 });
    await peer.answer(leg, ADA);
    await peer.next();
    expect(seen.spans.ended).toHaveLength(2);
    expect(seen.spans.ended.every(({ status }) => status.code === SpanStatusCode.UNSET)).toBe(true);
  });
});
