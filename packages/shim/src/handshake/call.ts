/** One request of the client that is not answered yet. */
import type { MessageExtraInfo } from '@modelcontextprotocol/sdk/types.js';
import type { HoldPlace } from '../core/hold-place.ts';
import type { JsonRpcRequest } from '../core/json-rpc.ts';
import type { RepeatedAsks } from '../core/repeated-ask.ts';
import type { Decision } from '../core/retry-record.ts';
import type { HttpExchange } from './http-exchange.ts';
import type { CallProgress } from './progress.ts';
import type { RoundAnswers } from './round-answers.ts';

/** How a hold is cut off from outside: by the caller's cancellation, a closed connection, or a stream that is gone. */
export type CutOff = 'call-cancelled' | 'closed' | 'no-channel';

/** Why a hold stops waiting: cut off, or at the end of a drain. */
export type StopReason = CutOff | 'drained';

export interface Call {
  readonly request: JsonRpcRequest;
  readonly extra: MessageExtraInfo | undefined;
  /** The HTTP exchange that carries the call's stream; undefined on other transports. */
  readonly exchange: HttpExchange | undefined;
  /** Present when the caller sent a progress token. */
  readonly progress: CallProgress | undefined;
  /** The results of its side effects, as JSON text; made when it has the first. */
  once: Map<string, string> | undefined;
  /** Present once the call has asked. */
  asking: Asking | undefined;
  /** True once it is answered or cut off: nothing is sent or run for it any more. */
  isOver: boolean;
}

/** What a call that has asked keeps from round to round. */
export interface Asking {
  readonly callId: string;
  readonly target: string;
  /** Whether it has had legs out. */
  hasHeld: boolean;
  /** When its first round with legs began; undefined before that, and once the end of the hold has been told. */
  heldSince: number | undefined;
  /** When the round at hand began. */
  roundStartedAt: number;
  /** How many questions the round at hand has. */
  legs: number;
  /** The number of asks so far, the one at hand included. */
  round: number;
  /** How often in a row the handler asked with a state only. */
  pauses: number;
  /** Whether the handler has been run again. */
  hasReentered: boolean;
  readonly repeated: RepeatedAsks;
  /** What came in in the round before this run of the handler. */
  answers: RoundAnswers | undefined;
  /** What was confirmed: questions, told by key and params, with what they came to. */
  decisions: { readonly key: string; readonly params: object; readonly decision: Decision }[] | undefined;
  /** The ids of the URLs that were asked, by key, where the revision has such ids. */
  elicitationIds: Map<string, string> | undefined;
  /** Its place among the held calls, where those are counted; from its first leg. */
  place: HoldPlace | undefined;
  /** Whether the call is being held: from an ask of its handler to its next run, or to its end. */
  isHeld: boolean;
  /** What ended the hold from outside. */
  cutBy: CutOff | undefined;
  /** Stops what the hold is waiting for now: legs, a pause, or the re-run that is due. */
  stopWaiting: ((why: StopReason) => void) | undefined;
}
