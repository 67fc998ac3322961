/** Hands events to the operator's hook, and warns where there is none. */
import type { DualEraEvent, EventHook } from '../core/events.ts';
import { isUnwantedPromise } from '../core/thenable.ts';

export interface Emitter {
  /** Whether a hook listens: without one, only errors are worth an event. */
  readonly isHeard: boolean;
  emit(event: DualEraEvent): void;
}

// Once per process and matter: a warning for each call would drown what the operator has to read.
const warned = new Set<string>();

/** Warns the first time it is called with `matter`. */
export function warnOnce(matter: string, message: string, warn: (message: string) => void): void {
  if (warned.has(matter)) return;
  warned.add(matter);
  warn(message);
}

/**
 * An emitter that calls `hook`, or warns of errors through `warn` where there is no hook; `listeners` of this package hear
 * every event before that.
 */
export function createEmitter(
  hook: EventHook | undefined,
  warn: (message: string) => void,
  listeners: readonly EventHook[] = [],
): Emitter {
  const last: EventHook = hook === undefined ? (event) => warnOfError(event, warn) : (event) => callHook(hook, event);
  if (listeners.length === 0) return { isHeard: hook !== undefined, emit: last };
  return {
    isHeard: true,
    emit: (event) => {
      for (const listener of listeners) callHook(listener, event);
      last(event);
    },
  };
}

function warnOfError(event: DualEraEvent, warn: (message: string) => void): void {
  if (event.type !== 'error' && event.type !== 'state-refused') return;
  const advice = `Give onEvent to see every such ${event.type === 'error' ? 'error' : 'refusal'}; this warning comes once.`;
  warnOnce(event.type, `mcp-dual-era: ${event.method} ${event.target}: ${event.message}. ${advice}`, warn);
}

// The contract of onEvent: a hook that throws or rejects never changes a call.
function callHook(hook: EventHook, event: DualEraEvent): void {
  try {
    isUnwantedPromise(hook(event));
  } catch {
    // Nothing to do for a broken hook: reporting it would need another hook.
  }
}
