/** The seam to a tracing system, which `mcp-dual-era/otel` fills. */
import type { EventHook } from './events.ts';

/** Trace context as it travels in the `_meta` of a message (spec: basic, `_meta`, reserved names; W3C Trace Context). */
export interface TraceContext {
  readonly traceparent?: string;
  readonly tracestate?: string;
  readonly baggage?: string;
}

/** The call that asks. */
export interface TracedCall {
  readonly callId: string;
  readonly method: string;
  readonly target: string;
}

/** What each member throws is dropped: it never changes a call. */
export interface Telemetry {
  /** Sees every event, before the `onEvent` option. */
  readonly onEvent: EventHook;
  /**
   * A call is about to ask its first question; its `hold-end` event ends what is begun here.
   *
   * @param context - what the caller's request brought.
   */
  readonly onHold: (call: TracedCall, context: TraceContext) => void;
  /** What the question is to carry; called after its `leg-start` event. */
  readonly contextOf: (leg: {
    readonly callId: string;
    readonly round: number;
    readonly key: string;
  }) => TraceContext | undefined;
}

const MEMBERS = ['traceparent', 'tracestate', 'baggage'] as const;

/** The trace context in `meta`, of which other than texts are nothing. */
export function traceContextIn(meta: unknown): TraceContext {
  if (typeof meta !== 'object' || meta === null) return {};
  const members = MEMBERS.flatMap((name) => {
    const value = Object.hasOwn(meta, name) ? (meta as Record<string, unknown>)[name] : undefined;
    return typeof value === 'string' ? [[name, value] as const] : [];
  });
  return Object.fromEntries(members);
}
