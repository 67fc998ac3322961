/**
 * The requests that an SDK v1 handler makes of its client in mid-body. On the modern revision nobody can answer one.
 *
 * SDK v1's own methods look at the declared capabilities first and throw inside the handler, which may take that for an
 * answer; so they are replaced, on this instance alone, for as long as it serves modern requests.
 */
import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import type { RequestId } from '../core/json-rpc.ts';
import { replaceMethod } from './replace-method.ts';

/** Ends the request that a push call belongs to, and gives the error that its handler meets. */
export type RefusePush = (method: string, relatedTo: RequestId | undefined) => Error;

interface Options {
  readonly relatedRequestId?: RequestId | undefined;
}

const METHODS = { elicitInput: 'elicitation/create', createMessage: 'sampling/createMessage', listRoots: 'roots/list' };

/** The returned function undoes it. */
export function refusePushCalls(protocol: Server, refuse: RefusePush): () => void {
  const restores = Object.entries(METHODS).map(([name, method]) => {
    const refused = (_params?: unknown, options?: Options): Promise<never> =>
      Promise.reject(refuse(method, options?.relatedRequestId));
    return replaceMethod(protocol, name, refused);
  });
  return () => {
    for (const restore of restores) restore();
  };
}
