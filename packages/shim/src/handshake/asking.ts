/** What a call that has asked keeps from round to round. */
import type { HoldPlace } from '../core/hold-place.ts';
import type { JsonRpcRequest } from '../core/json-rpc.ts';
import { type AskingMethod, targetOf } from '../core/outcome.ts';
import { RepeatedAsks } from '../core/repeated-ask.ts';
import type { Decision } from '../core/retry-record.ts';
import type { RoundAnswers } from './round-answers.ts';

/** How a hold is cut off from outside: by the caller's cancellation, a closed connection, or a stream that is gone. */
export type CutOff = 'call-cancelled' | 'closed' | 'no-channel';

/** Why a hold stops waiting: cut off, or at the end of a drain. */
export type StopReason = CutOff | 'drained';

export interface Asking {
  readonly callId: string;
  readonly target: string;
  /** Who calls, as of the ask at hand; undefined where nobody knows. */
  subject: string | undefined;
  /** The state of the ask at hand, as JSON text. */
  state: string | undefined;
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

let callCount = 0;

/** For the first ask of `request`. @param idPrefix - that of its connection. */
export function startAsking({ method, params = {} }: JsonRpcRequest, idPrefix: string): Asking {
  callCount += 1;
  return {
    callId: `${idPrefix}${callCount}`,
    target: targetOf(method as AskingMethod, params),
    subject: undefined,
    state: undefined,
    heldSince: undefined,
    roundStartedAt: 0,
    legs: 0,
    round: 0,
    pauses: 0,
    hasReentered: false,
    repeated: new RepeatedAsks(),
    answers: undefined,
    decisions: undefined,
    elicitationIds: undefined,
    place: undefined,
    isHeld: false,
    cutBy: undefined,
    stopWaiting: undefined,
  };
}
