/** What a tracing system hears and says of a held call. Whatever it does, it never changes a call. */
import type { JsonObject } from '../core/json.ts';
import { type Telemetry, traceContextIn } from '../core/telemetry.ts';
import { isUnwantedPromise } from '../core/thenable.ts';
import type { AskingCall } from './call.ts';
import type { PreparedLeg } from './gate.ts';

/** Tells of a call that is about to ask its first question. */
export function traceHold(telemetry: Telemetry | undefined, { request, asking }: AskingCall): void {
  if (telemetry === undefined) return;
  const { callId, target } = asking;
  try {
    const context = traceContextIn(request.params?.['_meta']);
    isUnwantedPromise(telemetry.onHold({ callId, method: request.method, target }, context));
  } catch {
    // Who measures must never change a call.
  }
}

/** The params of `leg`, with the trace context it is to carry. */
export function tracedParams(telemetry: Telemetry | undefined, call: AskingCall, leg: PreparedLeg): JsonObject {
  const { params, request } = leg;
  if (telemetry === undefined) return params;
  const { callId, round } = call.asking;
  try {
    const given = telemetry.contextOf({ callId, round, key: request.key });
    const context = isUnwantedPromise(given) ? {} : traceContextIn(given);
    const meta = params['_meta'] as JsonObject | undefined;
    return Object.keys(context).length === 0 ? params : { ...params, _meta: { ...context, ...meta } };
  } catch {
    // The same here.
    return params;
  }
}
