/** What a handler meets, and its client and operator hear, when it asks in mid-body while a modern client is served. */
import { isEmbeddedMethod } from '../core/embedded-request.ts';
import { INTERNAL_ERROR } from '../core/json-rpc.ts';
import type { Clock } from '../core/options.ts';
import { isAskingMethod, targetOf } from '../core/outcome.ts';
import type { Emitter } from '../handshake/emit.ts';
import type { PushOptions } from './mid-body-calls.ts';
import type { ModernRequest } from './modern-request.ts';
import { WireError } from './wire-error.ts';

const PAGE = 'See docs/existing-servers.md';

/** What to do about it, which depends on whether a question could be replayed. */
function cureOf(method: string, calls: PushOptions['calls']): string {
  const start = 'Revision 2026-07-28 has no requests from the server to the client';
  if (!isEmbeddedMethod(method)) return `${start}, and this one is no question that an ask could hold. ${PAGE}`;
  if (calls === 'replay') return `${start}: ask from the handler of a tool, prompt or resource. ${PAGE}`;
  const cure = "return inputRequired({ inputRequests }) from the handler instead, or serve with pushCalls: 'replay'";
  return `${start}: ${cure}. ${PAGE}`;
}

export function pushOptions(
  { calls, suspend }: Pick<PushOptions, 'calls' | 'suspend'>,
  { clock, emitter }: { readonly clock: Clock; readonly emitter: Emitter },
): PushOptions {
  return {
    calls,
    suspend,
    clock,
    onRefused: (method, request) => {
      const cure = cureOf(method, calls);
      const message = `the handler called ${method}, which a modern client cannot answer. ${cure}`;
      emitter.emit({ type: 'error', message, method: request?.method ?? method, target: targetOfRequest(request) });
      return new WireError(INTERNAL_ERROR, `${method} cannot be sent while a modern client is served. ${cure}.`);
    },
    onContinued: (request) => {
      emitter.emit({ type: 'continued-after-suspend', method: request.method, target: targetOfRequest(request) });
    },
  };
}

function targetOfRequest(request: ModernRequest | undefined): string {
  return request !== undefined && isAskingMethod(request.method) ? targetOf(request.method, request.params) : '';
}
