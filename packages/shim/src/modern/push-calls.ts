/**
 * The requests that an SDK v1 handler makes of its client in mid-body, on the modern revision, where no request can reach
 * the client.
 *
 * SDK v1's own methods look at the declared capabilities first and throw inside the handler, which may take that for an
 * answer; so they are replaced, on this instance alone, for as long as it serves modern requests.
 */
import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import type { EmbeddedMethod } from '../core/embedded-request.ts';
import type { JsonObject } from '../core/json.ts';
import type { RequestId } from '../core/json-rpc.ts';
import { replaceMethods } from './replace-methods.ts';

/** Takes a push call over, and gives what its handler awaits; undefined where SDK v1 may go on with it. */
export type TakePushCall = (
  method: EmbeddedMethod,
  params: JsonObject,
  relatedTo: RequestId | undefined,
) => Promise<never> | undefined;

interface Options {
  readonly relatedRequestId?: RequestId | undefined;
}

type PushCall = (params?: JsonObject, options?: Options) => Promise<unknown>;

/** Hands every push call of `protocol` to `take` first; the returned function undoes it. */
export function takePushCalls(protocol: Server, take: TakePushCall): () => void {
  const taken = (original: PushCall, method: EmbeddedMethod): PushCall => {
    return (params = {}, options = {}) =>
      handled(take(method, params, options.relatedRequestId) ?? original.call(protocol, params, options));
  };
  return replaceMethods(protocol, {
    elicitInput: taken(protocol.elicitInput as PushCall, 'elicitation/create'),
    createMessage: taken(protocol.createMessage as unknown as PushCall, 'sampling/createMessage'),
    listRoots: taken(protocol.listRoots as PushCall, 'roots/list'),
  });
}

/** Makes a request, and gives what awaits it the answer, or what it is to have in its place. */
export type MakeRequest = (
  method: string,
  relatedTo: RequestId | undefined,
  send: () => Promise<unknown>,
) => Promise<unknown>;

/** Has `make` make every request of `protocol`; the returned function undoes it. */
export function takeRequests(protocol: Server, make: MakeRequest): () => void {
  const request = protocol.request as (...args: unknown[]) => Promise<unknown>;
  const taken = (...args: [given: { readonly method: string }, schema: unknown, options?: Options]) =>
    handled(make(args[0].method, args[2]?.relatedRequestId, () => request.apply(protocol, args)));
  return replaceMethods(protocol, { request: taken });
}

/** A handler may ask first and await the answer later: a question that rejects in between must not end the process. */
function handled<Result>(promise: Promise<Result>): Promise<Result> {
  promise.catch(() => undefined);
  return promise;
}
