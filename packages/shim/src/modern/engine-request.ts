/** A request as the official v2 engine hands it over, and the {@link ModernRequest} that is made of it. */
import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  LOG_LEVEL_META_KEY,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { isJsonObject, type JsonObject, ownMember } from '../core/json.ts';
import type { ModernClient, ModernRequest } from './modern-request.ts';

export interface EngineRequest {
  readonly method: string;
  readonly params?: JsonObject | undefined;
}

/** @param raw - the params as they came, where they are at hand: the engine reads answers that are no object as none. */
export function modernRequestOf(
  { method, params = {} }: EngineRequest,
  { mcpReq, http }: ServerContext,
  raw: JsonObject | undefined,
): ModernRequest {
  const { id, signal, _meta } = mcpReq;
  const envelope = (mcpReq.envelope ?? {}) as JsonObject;
  const requestState: unknown = mcpReq.requestState();
  const inputResponses = raw === undefined ? mcpReq.inputResponses : ownMember(raw, 'inputResponses');
  const level = envelope[LOG_LEVEL_META_KEY];
  return {
    id,
    method,
    params: _meta === undefined ? params : { ...params, _meta },
    client: clientOf(envelope),
    logLevel: typeof level === 'string' ? level : undefined,
    retry: {
      ...(inputResponses === undefined ? {} : { inputResponses }),
      ...(requestState === undefined ? {} : { requestState }),
    },
    authInfo: http?.authInfo,
    requestInfo: requestInfoOf(http?.req),
    signal,
    notify: (notification) => mcpReq.notify(notification as Parameters<typeof mcpReq.notify>[0]),
  };
}

export function clientOf(envelope: JsonObject): ModernClient {
  const info = envelope[CLIENT_INFO_META_KEY];
  const capabilities = envelope[CLIENT_CAPABILITIES_META_KEY];
  return {
    info: isJsonObject(info) ? info : undefined,
    capabilities: isJsonObject(capabilities) ? capabilities : {},
  };
}

/** `request` as SDK v1 tells its handlers of it. Made when it is read: most handlers never do. */
export function requestInfoOf(request: Request | undefined): unknown {
  return request === undefined ? undefined : new RequestInfo(request);
}

class RequestInfo {
  readonly #request: Request;
  #headers: Record<string, string> | undefined;

  constructor(request: Request) {
    this.#request = request;
  }

  get headers(): Record<string, string> {
    this.#headers ??= Object.fromEntries(this.#request.headers);
    return this.#headers;
  }

  get url(): URL {
    return new URL(this.#request.url);
  }
}
