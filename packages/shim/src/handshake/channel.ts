/**
 * Finds out whether a call over Streamable HTTP has a stream that a question can ride.
 *
 * SDK v1's HTTP transports drop a question in silence where it cannot travel: in JSON response mode, and after the
 * client has gone. No public member says which it is, so the transport's public `handleRequest` is wrapped: a call that
 * is not answered although its response has begun is a stream.
 */
import type { Clock } from '../core/options.ts';
import type { Refusal } from './gate.ts';
import type { HttpExchange } from './stream-state.ts';

const PLAIN_JSON: Refusal = {
  reason: 'no-channel',
  detail:
    'the answer to this HTTP request is plain JSON, which cannot carry a question. ' +
    'Serve HTTP without enableJsonResponse to be able to ask',
};
export const STREAM_LOST: Refusal = {
  reason: 'no-channel',
  detail: 'the client closed the stream of this call. With an event store it could come back to it',
};

/** Why no question can travel on the stream of `exchange`; undefined when one can. */
export async function findNoChannel(exchange: HttpExchange, clock: Clock): Promise<Refusal | undefined> {
  const isStream = await hasStream(exchange, clock);
  if (exchange.isGone()) return STREAM_LOST;
  return isStream ? undefined : PLAIN_JSON;
}

// Counted in turns of the event loop as well as in milliseconds: on a busy process a deadline alone would pass before
// the response had its chance to begin.
const POLLS = 10;
const POLL_MS = 2;

/** Waits until the response of `exchange` has begun, for at least 20 ms; false when it has not. */
async function hasStream(exchange: HttpExchange, clock: Clock): Promise<boolean> {
  // One turn first: a question written before the response is handed out is held back by the HTTP adapter.
  await new Promise<void>((resolve) => clock.setImmediate(resolve));
  for (let poll = 0; poll < POLLS && !exchange.hasBegun(); poll += 1) {
    await new Promise<void>((resolve) => clock.setTimeout(resolve, POLL_MS));
  }
  return exchange.hasBegun();
}
