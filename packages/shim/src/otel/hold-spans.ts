/** A span for each held call, from its first question to its end, and below it one for each question. */
import {
  type Attributes,
  type Context,
  context,
  defaultTextMapGetter,
  defaultTextMapSetter,
  type Link,
  propagation,
  type Span,
  SpanKind,
  SpanStatusCode,
  type TextMapPropagator,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import type { DualEraEvent, HoldOutcome, LegOutcome } from '../core/events.ts';
import type { TraceContext, TracedCall } from '../core/telemetry.ts';
import { describeCall, ERROR_TYPE, isError, KEY, KIND, METHOD, METHODS, OUTCOME, ROUND, ROUNDS } from './attributes.ts';

interface HeldCall {
  readonly span: Span;
  /** What its questions are below. */
  readonly context: Context;
  /** The questions that are out, by key: one round has no key twice, and ends before the next one starts. */
  readonly legs: Map<string, Span>;
}

type EventOf<Type extends DualEraEvent['type']> = Extract<DualEraEvent, { type: Type }>;

export class HoldSpans {
  readonly #tracer: Tracer;
  readonly #propagator: Pick<TextMapPropagator, 'inject' | 'extract'>;
  readonly #calls = new Map<string, HeldCall>();

  constructor(tracer: Tracer, propagator: Pick<TextMapPropagator, 'inject' | 'extract'>) {
    this.#tracer = tracer;
    this.#propagator = propagator;
  }

  /** Begins the span of `call`, below that of its caller. */
  begin(call: TracedCall, caller: TraceContext): void {
    // Baggage of the server's own is none of the client's business: what the questions carry is the caller's alone.
    const ambient = propagation.deleteBaggage(context.active());
    const parent = this.#propagator.extract(ambient, caller, defaultTextMapGetter);
    const { name, attributes } = describeCall(call);
    const options = { kind: SpanKind.SERVER, attributes, links: linksBetween(ambient, parent) };
    const span = this.#tracer.startSpan(name, options, parent);
    this.#calls.set(call.callId, { span, context: trace.setSpan(parent, span), legs: new Map() });
  }

  take(event: DualEraEvent): void {
    if (event.type === 'leg-start') this.#beginLeg(event);
    else if (event.type === 'leg-end') this.#endLeg(event);
    else if (event.type === 'hold-end') this.#end(event);
  }

  /** What the question that is out under `key` is to carry. */
  contextOf(callId: string, key: string): TraceContext | undefined {
    const call = this.#calls.get(callId);
    const span = call?.legs.get(key);
    if (call === undefined || span === undefined) return undefined;
    const carrier: TraceContext = {};
    this.#propagator.inject(trace.setSpan(call.context, span), carrier, defaultTextMapSetter);
    return carrier;
  }

  #beginLeg({ callId, round, key, kind }: EventOf<'leg-start'>): void {
    const call = this.#calls.get(callId);
    if (call === undefined) return;
    const method = METHODS[kind];
    const attributes = { [METHOD]: method, [KEY]: key, [KIND]: kind, [ROUND]: round };
    call.legs.set(key, this.#tracer.startSpan(method, { kind: SpanKind.CLIENT, attributes }, call.context));
  }

  #endLeg({ callId, key, outcome }: EventOf<'leg-end'>): void {
    const legs = this.#calls.get(callId)?.legs;
    const span = legs?.get(key);
    legs?.delete(key);
    end(span, outcome);
  }

  #end({ callId, outcome, rounds }: EventOf<'hold-end'>): void {
    const span = this.#calls.get(callId)?.span;
    this.#calls.delete(callId);
    end(span, outcome, { [ROUNDS]: rounds });
  }
}

function end(span: Span | undefined, outcome: HoldOutcome | LegOutcome, attributes: Attributes = {}): void {
  try {
    span?.setAttributes({ ...attributes, [OUTCOME]: outcome });
    if (isError(outcome)) span?.setAttribute(ERROR_TYPE, outcome).setStatus({ code: SpanStatusCode.ERROR });
  } finally {
    // Also where the SDK's span is broken: one that has begun has to end.
    span?.end();
  }
}

/** The span at hand, such as that of the HTTP request, where the caller's takes its place as the parent. */
function linksBetween(ambient: Context, parent: Context): Link[] {
  const current = trace.getSpan(ambient);
  return current === undefined || current === trace.getSpan(parent) ? [] : [{ context: current.spanContext() }];
}
