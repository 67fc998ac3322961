/** What a handler meets, and its client and operator hear, when it asks in mid-body while a modern client is served. */
import { isEmbeddedMethod } from '../core/embedded-request.ts';
import { INTERNAL_ERROR } from '../core/json-rpc.ts';
import type { Clock } from '../core/options.ts';
import type { Emitter } from '../handshake/emit.ts';
import { aboutOf } from './mistake.ts';
import type { ModernRequest } from './modern-request.ts';
import { WireError } from './wire-error.ts';

export interface PushOptions {
  readonly calls: 'reject' | 'replay';
  readonly suspend: 'reject' | 'pending';
  readonly clock: Clock;
  /** The run of `request` asked what no modern client can be asked: the error that ends it. */
  readonly onRefused: (method: string, request: ModernRequest | undefined) => Error;
  /** A run went on after it had been suspended. */
  readonly onContinued: (request: ModernRequest) => void;
}

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
      emitter.emit({
        type: 'error',
        message,
        ...(request === undefined ? { method, target: '' } : aboutOf(request)),
      });
      return new WireError(INTERNAL_ERROR, `${method} cannot be sent while a modern client is served. ${cure}.`);
    },
    onContinued: (request) => emitter.emit({ type: 'continued-after-suspend', ...aboutOf(request) }),
  };
}
