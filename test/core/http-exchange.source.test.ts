import { describe, expect, it } from 'vitest';
import type { WebRequest } from '../../packages/shim/src/handshake/http-body.ts';
import { isNodeResponse, webExchange } from '../../packages/shim/src/handshake/http-exchange.ts';
import { StreamGrace } from '../../packages/shim/src/handshake/stream-grace.ts';
import { ManualClock } from '../support/manual-clock.ts';

const EVENTS = { headers: { 'content-type': 'text/event-stream' } };

function exchangeOf(signal: AbortSignal) {
  const exchange = webExchange({ signal } as WebRequest, new StreamGrace(1_000, new ManualClock()));
  let gone = 0;
  exchange.onGone(() => {
    gone += 1;
  });
  return { exchange, gone: () => gone };
}

it.each([undefined, null, 'writeHead', {}, { authInfo: {} }])('%j is no response of node', (value) => {
  expect(isNodeResponse(value)).toBe(false);
});

describe('the exchange of a web-standard request', () => {
  it('has begun with its response, and is gone with its signal', () => {
    const abort = new AbortController();
    const { exchange, gone } = exchangeOf(abort.signal);
    expect([exchange.hasBegun(), exchange.isGone()]).toEqual([false, false]);
    exchange.begin(new Response(null, EVENTS));
    expect([exchange.hasBegun(), exchange.isGone()]).toEqual([true, false]);
    abort.abort();
    expect([exchange.isGone(), gone()]).toEqual([true, 1]);
  });

  it('is gone where its signal has aborted before', () => {
    expect(exchangeOf(AbortSignal.abort()).exchange.isGone()).toBe(true);
  });

  it('is gone where its reader gives up', async () => {
    const { exchange, gone } = exchangeOf(new AbortController().signal);
    await exchange.begin(new Response(new ReadableStream(), EVENTS)).body?.cancel();
    expect([exchange.isGone(), gone()]).toEqual([true, 1]);
  });
});
