/**
 * Sealing a state and opening it again, bound to the call: ours by the one of the official SDK v2. Pure computation, so
 * one after the other in one turn of the event loop, as far as the codec allows it.
 */
import assert from 'node:assert/strict';
import { createRequestStateCodec as createCodecV2, type ServerContext } from '@modelcontextprotocol/server';
import { type BindState, createRequestStateCodec, type StateCall } from 'mcp-dual-era';
import { type Contender, compare } from '../support/compare.ts';
import type { Figure, Row } from '../support/figure.ts';

const KEY = '0123456789abcdef0123456789abcdef';
const CLIENT_ID = 'bench-client';
const PARAMS = { name: 'deploy', arguments: { service: 'api' } };
const CALL: StateCall = { method: 'tools/call', params: PARAMS, authInfo: { clientId: CLIENT_ID } };

/** What the documentation of v2 proposes to bind to: the method and the client id, and no parameter. */
const bindLikeV2: BindState = ({ method, authInfo }) => `${method}\0${authInfo?.clientId ?? ''}`;

/** What `bind` below reads of a v2 context. */
const CONTEXT_V2 = {
  mcpReq: { method: 'tools/call' },
  http: { authInfo: { clientId: CLIENT_ID } },
} as unknown as ServerContext;

interface Payload {
  readonly step: number;
  readonly text: string;
}

/** A payload of `bytes` bytes as JSON. */
function payloadOf(bytes: number): Payload {
  const text = 'x'.repeat(bytes - JSON.stringify({ step: 1, text: '' }).length);
  return { step: 1, text };
}

function ours(name: string, payload: Payload, bind?: BindState): Contender {
  const codec = createRequestStateCodec({ keys: KEY, bind });
  assert.throws(() => codec.verify(codec.mint(payload, CALL), { ...CALL, method: 'prompts/get' }));
  return {
    name,
    run: async (calls) => {
      for (let made = 0; made < calls; made += 1) check(codec.verify(codec.mint(payload, CALL), CALL), payload);
    },
  };
}

function official(name: string, payload: Payload): Contender {
  const codec = createCodecV2<Payload>({
    key: KEY,
    bind: ({ mcpReq, http }) => `${mcpReq.method}\0${http?.authInfo?.clientId ?? ''}`,
  });
  return {
    name,
    run: async (calls) => {
      for (let made = 0; made < calls; made += 1) {
        check(await codec.verify(await codec.mint(payload, CONTEXT_V2), CONTEXT_V2), payload);
      }
    },
  };
}

function check(opened: unknown, payload: Payload): void {
  const { step, text } = opened as Payload;
  assert.equal(step, payload.step);
  assert.equal(text, payload.text);
}

export const row: Row = async ({ isQuick }) => {
  const measure = async (bytes: number, size: string, bound: number): Promise<Figure> => {
    const payload = payloadOf(bytes);
    return compare(
      { name: `codec mint + verify, bound / official v2 with bind, ${size}`, bound },
      {
        bare: official('official v2', payload),
        bareAgain: official('official v2 again', payload),
        // Bound by default: to every parameter too.
        shim: ours('ours', payload),
        others: [ours('ours with the same bind', payload, bindLikeV2)],
      },
      { turns: isQuick ? 20 : 100, warmUp: 10, slices: 8, calls: 40 },
    );
  };
  return [await measure(100, '100 B', 0.15), await measure(1_024, '1 KB', 0.2)];
};
