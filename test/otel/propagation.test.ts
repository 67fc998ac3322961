import { context, metrics, propagation, ROOT_CONTEXT, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { AlwaysOffSampler, BasicTracerProvider } from '@opentelemetry/sdk-trace-base';
import { createHolds } from 'mcp-dual-era';
import { openTelemetry } from 'mcp-dual-era/otel';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ADA, ALL_CAPABILITIES, ask, form } from '../support/asks.ts';
import type { Json } from '../support/json.ts';
import { scriptParams } from '../support/script-server.ts';
import { session } from '../support/session.ts';
import { type Observed, observed } from './observed.ts';

const CALLER = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';

/** Plays one question with `_meta` on the call; what the question carried. */
async function askWith(telemetry: Observed['telemetry'] | undefined, _meta: Json, question = form()): Promise<unknown> {
  const { peer } = await session('memory', { capabilities: ALL_CAPABILITIES }, { options: { telemetry } });
  await peer.request('tools/call', { ...scriptParams('tools/call', [ask({ who: question })]), _meta });
  const leg = await peer.next();
  await peer.answer(leg, ADA);
  expect((await peer.next())['result'].isError).toBeUndefined();
  return leg['params']._meta;
}

describe('[T1c] the context of a call', () => {
  it.each([
    [{}],
    [{ traceparent: 'nonsense' }],
    [{ traceparent: 7 }],
    [{ traceparent: [CALLER] }],
    [{ traceparent: `ff${CALLER.slice(2)}` }],
    [{ tracestate: 'vendor=1' }],
  ])('begins anew with %j', async (meta) => {
    const { telemetry, spans } = observed();
    const carried = await askWith(telemetry, meta);
    const [call, leg] = spans.started;
    const { traceId = '', spanId = '' } = leg?.spanContext() ?? {};
    expect(call?.parentSpanContext).toBeUndefined();
    expect(carried).toEqual({ traceparent: `00-${traceId}-${spanId}-01` });
  });

  it('is passed on where nothing is sampled, and says so', async () => {
    const { telemetry, spans } = observed({ sampler: new AlwaysOffSampler() });
    const carried = await askWith(telemetry, { traceparent: CALLER });
    expect(carried).toEqual({
      traceparent: expect.stringMatching(/^00-0af7651916cd43dd8448eb211c80319c-[0-9a-f]{16}-00$/),
    });
    expect(spans.started).toEqual([]);
  });

  it('does not take the place of what the handler put on its question', async () => {
    const { telemetry } = observed();
    const question = form();
    question['params']._meta = { traceparent: CALLER, 'example.com/own': 1 };
    const carried = await askWith(telemetry, {}, question);
    expect(carried).toEqual({ traceparent: CALLER, 'example.com/own': 1 });
  });

  it("is the caller's, with a link to the span at hand, whose baggage stays here", async () => {
    context.setGlobalContextManager(new AsyncLocalStorageContextManager());
    onTestFinished(() => context.disable());
    const { telemetry, spans } = observed();
    const http = new BasicTracerProvider().getTracer('http').startSpan('POST');
    const baggage = propagation.createBaggage({ secret: { value: 'of-the-server' } });
    const ambient = propagation.setBaggage(trace.setSpan(ROOT_CONTEXT, http), baggage);
    const carried = await context.with(ambient, () => askWith(telemetry, { traceparent: CALLER }));
    const [call, leg] = spans.started;
    expect(call?.parentSpanContext?.spanId).toBe('b7ad6b7169203331');
    expect(call?.links.map((link) => link.context)).toEqual([http.spanContext()]);
    expect(carried).toEqual({ traceparent: `${CALLER.slice(0, 36)}${leg?.spanContext().spanId}-01` });
  });

  it('is that of the span at hand for a caller without one, with its baggage alone', async () => {
    context.setGlobalContextManager(new AsyncLocalStorageContextManager());
    onTestFinished(() => context.disable());
    const { telemetry, spans } = observed();
    const http = new BasicTracerProvider().getTracer('http').startSpan('POST');
    const meta = { baggage: 'tenant=blue' };
    const carried = await context.with(trace.setSpan(ROOT_CONTEXT, http), () => askWith(telemetry, meta));
    expect(spans.started[0]?.parentSpanContext).toEqual(http.spanContext());
    expect(spans.started[0]?.links).toEqual([]);
    expect(carried).toMatchObject({ baggage: 'tenant=blue' });
  });
});

describe('[T3] without an SDK', () => {
  it.each([[{}], [{ traceparent: CALLER, tracestate: 'vendor=1', baggage: 'tenant=blue' }]])(
    'calls go on, and no question carries a context, with %j',
    async (meta) => {
      const holds = createHolds();
      const telemetry = openTelemetry({ holds });
      expect(await askWith(telemetry, meta)).toBeUndefined();
      telemetry.stop();
    },
  );

  it('no question carries a context without telemetry either', async () => {
    expect(await askWith(undefined, { traceparent: CALLER })).toBeUndefined();
  });
});

describe('[T1c] the SDK that is registered for the process', () => {
  it('is used, for spans also when it comes later', async () => {
    onTestFinished(() => {
      for (const api of [trace, propagation, metrics]) api.disable();
    });
    const telemetry = openTelemetry();
    const names: string[] = [];
    const processor = {
      onStart: ({ name }: { name: string }) => void names.push(name),
      onEnd: () => undefined,
      forceFlush: async () => undefined,
      shutdown: async () => undefined,
    };
    trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors: [processor] }));
    propagation.setGlobalPropagator(new W3CTraceContextPropagator());
    const carried = await askWith(telemetry, { traceparent: CALLER });
    expect(names).toEqual(['tools/call script', 'elicitation/create']);
    expect(carried).toEqual({
      traceparent: expect.stringMatching(/^00-0af7651916cd43dd8448eb211c80319c-[0-9a-f]{16}-01$/),
    });
  });
});
