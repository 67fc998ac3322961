/** What a server's operator can watch. No event carries a payload, an answer or an identity. */
import type { AskKind } from './embedded-request.ts';
import type { OutcomeReason } from './outcome.ts';
import type { StateRefusalCause } from './request-state.ts';

/** How a leg ended. */
export type LegOutcome =
  | 'accepted'
  | 'declined'
  | 'cancelled'
  | 'answered'
  | 'malformed'
  | 'client-error'
  | 'timeout'
  | 'call-cancelled'
  | 'round-ended'
  | 'no-channel'
  | 'closed';

/**
 * How a round or a hold ended: answered, refused with a reason, cancelled by the caller, cut off, or by an error of the
 * server's (`server-error`). SDK v1 makes a result of what a tool throws, which is `answered`.
 */
export type HoldOutcome = 'answered' | OutcomeReason | 'call-cancelled' | 'closed' | 'server-error';

interface OfCall {
  /** The same through all rounds of a call, and on no other call. */
  readonly callId: string;
  readonly method: string;
  /** The tool's or prompt's name, or the resource's URI. */
  readonly target: string;
}

interface OfRound extends OfCall {
  /** Counted from 1. */
  readonly round: number;
}

interface OfLeg extends OfRound {
  readonly key: string;
  readonly kind: AskKind;
}

export type DualEraEvent =
  /** A round goes out. `legs`: how many questions it has. */
  | ({ readonly type: 'round-start'; readonly legs: number } & OfRound)
  | ({ readonly type: 'leg-start' } & OfLeg)
  | ({ readonly type: 'leg-end'; readonly outcome: LegOutcome; readonly ms: number } & OfLeg)
  /** A round is over. `handlerRan`: whether its answers went to a further run of the handler. */
  | ({
      readonly type: 'round-end';
      readonly legs: number;
      readonly outcome: HoldOutcome;
      readonly ms: number;
      readonly handlerRan: boolean;
    } & OfRound)
  /** A call that had legs out is over. `ms`: from its first round; `handlerRan`: whether its handler ran again at all. */
  | ({
      readonly type: 'hold-end';
      readonly outcome: HoldOutcome;
      readonly rounds: number;
      readonly ms: number;
      readonly handlerRan: boolean;
    } & OfCall)
  /** An answer to a leg that is over, or never was, has been dropped. */
  | { readonly type: 'late-answer' }
  /** An answer to a leg, or a cancellation of a call, came from another caller than the call's, and has been ignored. */
  | { readonly type: 'foreign-answer' }
  /**
   * A `requestState` that a client sent back was not accepted, and its handler did not run. `message` says what it means.
   * Without a hook, the first one is a process warning.
   */
  | {
      readonly type: 'state-refused';
      readonly cause: StateRefusalCause;
      readonly message: string;
      readonly method: string;
      readonly target: string;
    }
  /**
   * A handler that asked in mid-body on the modern leg went on after its request had ended: nothing it did since then
   * reached the client. It will run again from the top.
   */
  | { readonly type: 'continued-after-suspend'; readonly method: string; readonly target: string }
  /**
   * A handler that ran again asked in another order than before. `position`: the first question that differs, from 1.
   */
  | { readonly type: 'replay-drift'; readonly method: string; readonly target: string; readonly position: number }
  /** A mistake of the server's author or configuration. Without a hook, the first one is a process warning. */
  | { readonly type: 'error'; readonly message: string; readonly method: string; readonly target: string };

/** Called with each event, synchronously. What it throws, or its promise rejects with, is dropped. */
export type EventHook = (event: DualEraEvent) => void;
