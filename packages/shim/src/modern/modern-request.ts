/**
 * The seam to the engine that speaks the modern wire: what it hands over for one request. What it gets back is a result,
 * or a {@link WireError}. Nothing here names an engine, so that another could take its place.
 */
import type { JsonObject } from '../core/json.ts';
import type { JsonRpcNotification, RequestId } from '../core/json-rpc.ts';
import type { CallerAuth } from '../core/principal.ts';

/** Who asks, as its envelope says (spec: basic, `_meta`). */
export interface ModernClient {
  /** Undefined where the client did not say. */
  readonly info: JsonObject | undefined;
  /** Those of this very request. */
  readonly capabilities: JsonObject;
}

export interface ModernRequest {
  readonly id: RequestId;
  readonly method: string;
  /** Without the envelope and the retry members. */
  readonly params: JsonObject;
  readonly client: ModernClient;
  /** The lowest level of log messages that the client wants; undefined for none at all. */
  readonly logLevel: string | undefined;
  /** `inputResponses` and `requestState` as they came, where they came. */
  readonly retry: { readonly inputResponses?: unknown; readonly requestState?: unknown };
  readonly authInfo: CallerAuth | undefined;
  readonly requestInfo: unknown;
  /** Aborts when the client cancels the request, or is gone. */
  readonly signal: AbortSignal;
  /** Sends a notification on the stream of this request. */
  readonly notify: (notification: Omit<JsonRpcNotification, 'jsonrpc'>) => Promise<void>;
}
