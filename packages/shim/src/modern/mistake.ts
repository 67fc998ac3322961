/** An ask that must not go out: a mistake of the author's, whom an event tells of it. */
import { INTERNAL_ERROR } from '../core/json-rpc.ts';
import { isAskingMethod, targetOf } from '../core/outcome.ts';
import type { ModernLeg } from './leg.ts';
import type { ModernRequest } from './modern-request.ts';
import { WireError } from './wire-error.ts';

/** What a request is about, as events name it: nothing for the methods that have no target. */
export function aboutOf({ method, params }: ModernRequest): { readonly method: string; readonly target: string } {
  return { method, target: isAskingMethod(method) ? targetOf(method, params) : '' };
}

/** The error that ends `request`, reported as an event too. */
export function mistakeOf({ emitter }: ModernLeg, request: ModernRequest, mistake: string): WireError {
  emitter.emit({ type: 'error', message: mistake, ...aboutOf(request) });
  return new WireError(INTERNAL_ERROR, `${request.method} cannot ask: ${mistake}`);
}
