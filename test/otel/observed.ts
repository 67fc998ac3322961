/** A telemetry on SDKs of its own, and what it reports. Nothing is registered for the process. */
import { CompositePropagator, W3CBaggagePropagator, W3CTraceContextPropagator } from '@opentelemetry/core';
import {
  AggregationTemporality,
  type DataPoint,
  type Histogram,
  InMemoryMetricExporter,
  MeterProvider,
  type MetricData,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics';
import {
  BasicTracerProvider,
  type ReadableSpan,
  type Sampler,
  type Span,
  type SpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import type { Holds } from 'mcp-dual-era';
import { type OpenTelemetry, openTelemetry } from 'mcp-dual-era/otel';
import { onTestFinished } from 'vitest';

/** The spans that have begun and that have ended, in order. */
class Recorder implements SpanProcessor {
  readonly started: Span[] = [];
  readonly ended: ReadableSpan[] = [];
  onStart(span: Span): void {
    this.started.push(span);
  }
  onEnd(span: ReadableSpan): void {
    this.ended.push(span);
  }
  async forceFlush(): Promise<void> {}
  async shutdown(): Promise<void> {}
}

export interface Observed {
  readonly telemetry: OpenTelemetry;
  readonly spans: Recorder;
  /** The metrics so far: the value, or the sum and the count of a histogram, by name and by the values of the attributes. */
  metrics(): Promise<Record<string, Record<string, unknown>>>;
  /** The metrics as they are exported. */
  collect(): Promise<readonly MetricData[]>;
  /** Everything that was exported, as text. */
  text(): Promise<string>;
}

export function observed({ holds, sampler }: { holds?: Holds; sampler?: Sampler } = {}): Observed {
  const spans = new Recorder();
  const tracerProvider = new BasicTracerProvider({
    spanProcessors: [spans],
    ...(sampler === undefined ? {} : { sampler }),
  });
  const exporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
  const reader = new PeriodicExportingMetricReader({ exporter, exportIntervalMillis: 2 ** 31 - 1 });
  const meterProvider = new MeterProvider({ readers: [reader] });
  onTestFinished(() => meterProvider.shutdown());
  const propagators = [new W3CTraceContextPropagator(), new W3CBaggagePropagator()];
  const propagator = new CompositePropagator({ propagators });
  const telemetry = openTelemetry({ holds, tracerProvider, meterProvider, propagator });

  const collect = async () => {
    exporter.reset();
    await reader.forceFlush();
    const [collected] = exporter.getMetrics();
    return collected?.scopeMetrics.flatMap((scope) => scope.metrics) ?? [];
  };
  const metrics = async () => {
    const named = (await collect()).map(({ descriptor, dataPoints }) => {
      const points = (dataPoints as DataPoint<number | Histogram>[]).map(({ attributes, value }) => {
        const figures = typeof value === 'number' ? value : { sum: value.sum, count: value.count };
        return [Object.values(attributes).join(), figures] as const;
      });
      return [descriptor.name, Object.fromEntries(points)] as const;
    });
    return Object.fromEntries(named);
  };
  const text = async () => {
    const told = spans.ended.map(({ name, attributes, events, links, status, resource }) => {
      return { name, attributes, events, links, status, resource: resource.attributes };
    });
    return JSON.stringify([told, await collect()]);
  };
  return { telemetry, spans, metrics, collect, text };
}

/** What a test looks at of a span. */
export function shown({ name, kind, attributes, status, parentSpanContext }: ReadableSpan): object {
  return { name, kind, attributes, status: status.code, parent: parentSpanContext?.spanId };
}

/** The name and the outcome of each span that has ended, in order. */
export function outcomes({ spans }: Observed): string[] {
  return spans.ended.map(({ name, attributes, status }) => {
    const isError = status.code === 2;
    return `${name}: ${attributes['mcp_dual_era.outcome']}${isError ? ', an error' : ''}`;
  });
}
