/** One request of the client that is not answered yet. */
import type { MessageExtraInfo } from '@modelcontextprotocol/sdk/types.js';
import type { JsonRpcRequest } from '../core/json-rpc.ts';
import type { Asking } from './asking.ts';
import type { CallOnce } from './once-results.ts';
import type { CallProgress } from './progress.ts';
import type { HttpExchange } from './stream-state.ts';

export interface Call {
  readonly request: JsonRpcRequest;
  readonly extra: MessageExtraInfo | undefined;
  /** The HTTP exchange that carries the call's stream; undefined on other transports. */
  readonly exchange: HttpExchange | undefined;
  /** Present when the caller sent a progress token. */
  readonly progress: CallProgress | undefined;
  /** Its side effects. */
  readonly once: CallOnce;
  /** Present once the call has asked. */
  asking: Asking | undefined;
  /** True once it is answered or cut off: nothing is sent or run for it any more. */
  isOver: boolean;
}

/** One that has asked. */
export type AskingCall = Call & { readonly asking: Asking };
