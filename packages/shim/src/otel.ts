/**
 * mcp-dual-era/otel: held calls as OpenTelemetry spans and metrics. Needs `@opentelemetry/api`, which no other entry loads.
 *
 * @module
 */
import {
  type MeterProvider,
  metrics,
  propagation,
  type TextMapPropagator,
  type TracerProvider,
  trace,
} from '@opentelemetry/api';
import type { Holds } from './core/holds.ts';
import { knownOptions, object, wrongType } from './core/option-checks.ts';
import type { Telemetry } from './core/telemetry.ts';
import { HoldMetrics } from './otel/hold-metrics.ts';
import { HoldSpans } from './otel/hold-spans.ts';

export interface OpenTelemetryOptions {
  /** The places whose figures are shown: held, queued and refused calls. @defaultValue none, and no such figures */
  readonly holds?: Holds | undefined;
  /** @defaultValue the global one, also when it is registered later */
  readonly tracerProvider?: TracerProvider | undefined;
  /** @defaultValue the global one, as it is registered when this is called */
  readonly meterProvider?: MeterProvider | undefined;
  /**
   * Reads the trace context of a call, and writes that of its questions. Of what it writes `traceparent`, `tracestate` and
   * `baggage` travel. @defaultValue the global one
   */
  readonly propagator?: TextMapPropagator | undefined;
}

/** For the `telemetry` option of any number of servers. */
export interface OpenTelemetry extends Telemetry {
  /** Reads `holds` no more: what is shown of them stays as it was. Spans and the other metrics go on. */
  readonly stop: () => void;
}

/**
 * Reports every held call of the servers that it is given to: a span for the call and one for each question, and metrics
 * of both. Without an SDK that is registered, or given here, it reports nothing.
 *
 * @throws TypeError when an option has the wrong type; the message ends `, got X`.
 */
export function openTelemetry(options: OpenTelemetryOptions = {}): OpenTelemetry {
  object('options', options);
  knownOptions('options', options, ['holds', 'tracerProvider', 'meterProvider', 'propagator']);
  const { holds, tracerProvider = trace, meterProvider = metrics, propagator = propagation } = options;
  requireMethods('holds', holds, ['stats']);
  requireMethods('tracerProvider', tracerProvider, ['getTracer']);
  requireMethods('meterProvider', meterProvider, ['getMeter']);
  requireMethods('propagator', propagator, ['inject', 'extract']);
  const spans = new HoldSpans(tracerProvider.getTracer(SCOPE), propagator);
  const measured = new HoldMetrics(meterProvider.getMeter(SCOPE), holds);
  return {
    onEvent: (event) => {
      try {
        measured.take(event);
      } finally {
        // Whatever the meter does: a span that began has to end.
        spans.take(event);
      }
    },
    onHold: (call, context) => spans.begin(call, context),
    contextOf: ({ callId, key }) => spans.contextOf(callId, key),
    stop: () => measured.stop(),
  };
}

const SCOPE = 'mcp-dual-era';

function requireMethods(name: string, value: object | undefined, methods: readonly string[]): void {
  if (value === undefined) return;
  object(name, value);
  for (const method of methods) {
    const member: unknown = (value as Record<string, unknown>)[method];
    if (typeof member !== 'function') throw wrongType(`${name}.${method}`, 'a function', member);
  }
}
