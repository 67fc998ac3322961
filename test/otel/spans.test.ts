import { SpanKind, SpanStatusCode } from '@opentelemetry/api';
import { describe, expect, it } from 'vitest';
import { TRANSPORTS } from '../holds/open-held.ts';
import { ADA, ALL_CAPABILITIES, ask, form, ROOTS, roots, SAMPLED, sampling, url } from '../support/asks.ts';
import type { Json } from '../support/json.ts';
import { METHODS } from '../support/matrix.ts';
import { openHttpSession } from '../support/open-http.ts';
import { scriptParams } from '../support/script-server.ts';
import { play, session } from '../support/session.ts';
import { observed, shown } from './observed.ts';

const CAPABLE = { capabilities: ALL_CAPABILITIES };
const CALLER = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
const UNSET = SpanStatusCode.UNSET;

const traceparentOf = ({ traceId, spanId }: { traceId: string; spanId: string }) => `00-${traceId}-${spanId}-01`;
const metaOf = (leg: Json): Json => leg['params']._meta;

describe.each(TRANSPORTS)('[T1a] the spans of a call (%s)', (transport) => {
  const open = (options: object) =>
    transport === 'memory' ? session('memory', CAPABLE, { options }) : openHttpSession(transport, CAPABLE, { options });

  it("go on from the caller's, and each question carries its own", async () => {
    const { telemetry, spans } = observed();
    const { peer } = await open({ telemetry });
    const params = scriptParams('tools/call', [ask({ who: form(), where: roots() }), ask({ why: sampling() })]);
    const _meta = { traceparent: CALLER, tracestate: 'vendor=1', baggage: 'tenant=blue' };
    await peer.request('tools/call', { ...params, _meta });
    const metas: Json[] = [];
    for (const answer of [ADA, ROOTS, SAMPLED]) {
      const leg = await peer.next();
      metas.push(metaOf(leg));
      await peer.answer(leg, answer);
    }
    await peer.next();

    const [call, who, where, why] = spans.started.map((span) => span.spanContext());
    expect(spans.ended.map(shown)).toEqual([
      {
        name: 'elicitation/create',
        kind: SpanKind.CLIENT,
        attributes: {
          'mcp.method.name': 'elicitation/create',
          'mcp_dual_era.key': 'who',
          'mcp_dual_era.kind': 'form',
          'mcp_dual_era.round': 1,
          'mcp_dual_era.outcome': 'accepted',
        },
        status: UNSET,
        parent: call?.spanId,
      },
      {
        name: 'roots/list',
        kind: SpanKind.CLIENT,
        attributes: {
          'mcp.method.name': 'roots/list',
          'mcp_dual_era.key': 'where',
          'mcp_dual_era.kind': 'roots',
          'mcp_dual_era.round': 1,
          'mcp_dual_era.outcome': 'answered',
        },
        status: UNSET,
        parent: call?.spanId,
      },
      {
        name: 'sampling/createMessage',
        kind: SpanKind.CLIENT,
        attributes: {
          'mcp.method.name': 'sampling/createMessage',
          'mcp_dual_era.key': 'why',
          'mcp_dual_era.kind': 'sampling',
          'mcp_dual_era.round': 2,
          'mcp_dual_era.outcome': 'answered',
        },
        status: UNSET,
        parent: call?.spanId,
      },
      {
        name: 'tools/call script',
        kind: SpanKind.SERVER,
        attributes: {
          'mcp.method.name': 'tools/call',
          'gen_ai.operation.name': 'execute_tool',
          'gen_ai.tool.name': 'script',
          'mcp_dual_era.rounds': 2,
          'mcp_dual_era.outcome': 'answered',
        },
        status: UNSET,
        parent: 'b7ad6b7169203331',
      },
    ]);
    expect(metas).toEqual(
      [who, where, why].map((leg) => ({
        traceparent: `00-0af7651916cd43dd8448eb211c80319c-${leg?.spanId}-01`,
        tracestate: 'vendor=1',
        baggage: 'tenant=blue',
      })),
    );
  });
});

describe('[T1a] the span of a call', () => {
  it.each(METHODS)('is named after the tool or the prompt, and not after a URI (%s)', async (method) => {
    const { telemetry, spans } = observed();
    const { peer } = await session('memory', CAPABLE, { options: { telemetry } });
    const params = scriptParams(method, [ask({ who: form() })]);
    await peer.request(method, params);
    await peer.answer(await peer.next(), ADA);
    await peer.next();
    const call = spans.ended.at(-1);
    const told = { 'mcp.method.name': method, 'mcp_dual_era.rounds': 1, 'mcp_dual_era.outcome': 'answered' };
    const expected = {
      'tools/call': ['tools/call script', { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': 'script' }],
      'prompts/get': ['prompts/get script', { 'gen_ai.prompt.name': 'script' }],
      'resources/read': ['resources/read', { 'mcp.resource.uri': params['uri'] }],
    }[method];
    expect([call?.name, call?.attributes]).toEqual([expected[0], { ...told, ...(expected[1] as object) }]);
  });

  it('is one for each call, whichever is answered first', async () => {
    const { telemetry, spans } = observed();
    const { peer } = await session('memory', CAPABLE, { options: { telemetry } });
    const legs: Json[] = [];
    for (const _ of [1, 2, 3]) {
      await play(peer, [ask({ who: form() })]);
      legs.push(await peer.next());
    }
    for (const leg of legs.reverse()) await peer.answer(leg, ADA);
    for (const _ of [1, 2, 3]) await peer.next();
    const calls = spans.started.filter(({ name }) => name === 'tools/call script');
    const parents = spans.ended
      .filter(({ name }) => name === 'elicitation/create')
      .map(({ parentSpanContext }) => parentSpanContext?.spanId);
    expect(parents).toEqual(calls.map((call) => call.spanContext().spanId).reverse());
    expect(new Set(calls.map((call) => call.spanContext().traceId)).size).toBe(3);
  });

  it('is there for a call that asks, and for no other', async () => {
    const { telemetry, spans } = observed();
    const { peer } = await session('memory', CAPABLE, { options: { telemetry } });
    await peer.callTool('echo', { text: 'hello' });
    await peer.next();
    await play(peer, [null]);
    await peer.next();
    expect(spans.started).toEqual([]);
  });

  it('has all questions that are out at once below it', async () => {
    const { telemetry, spans } = observed();
    const { peer } = await session('memory', CAPABLE, { options: { telemetry, legs: 'concurrent' } });
    await play(peer, [ask({ who: form(), sign: url(), where: roots() })]);
    const legs = [await peer.next(), await peer.next(), await peer.next()];
    const [call, ...asked] = spans.started.map((span) => span.spanContext());
    expect(legs.map((leg) => metaOf(leg)['traceparent'])).toEqual(asked.map(traceparentOf));
    expect(new Set(asked.map(({ traceId }) => traceId))).toEqual(new Set([call?.traceId]));
    await peer.answer(legs[2] as Json, ROOTS);
    await peer.answer(legs[1] as Json, { action: 'accept' });
    await peer.answer(legs[0] as Json, ADA);
    await peer.next();
    expect(spans.ended.map(({ attributes }) => attributes['mcp_dual_era.key'])).toEqual([
      'where',
      'sign',
      'who',
      undefined,
    ]);
  });
});
