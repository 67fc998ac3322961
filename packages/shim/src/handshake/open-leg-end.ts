/** What becomes of the questions that are still open when their round ends. */
import type { LegOutcome } from '../core/events.ts';

interface OpenLegEnd {
  readonly outcome: LegOutcome;
  /** What the client is told, so that it closes the dialog; undefined where nobody is left to tell. */
  readonly notice: string | undefined;
}

const NOTICE = 'The question is no longer needed';
const ROUND_ENDED: OpenLegEnd = { outcome: 'round-ended', notice: NOTICE };

const ENDS: Partial<Record<string, OpenLegEnd>> = {
  timeout: { outcome: 'timeout', notice: 'The question was not answered in time' },
  'no-channel': { outcome: 'no-channel', notice: NOTICE },
  'call-cancelled': { outcome: 'call-cancelled', notice: 'The call was cancelled' },
  closed: { outcome: 'closed', notice: undefined },
  drained: { outcome: 'round-ended', notice: 'The server is shutting down' },
};

/** @param reason - why the round ended. */
export function endOfOpenLegs(reason: string): OpenLegEnd {
  return ENDS[reason] ?? ROUND_ENDED;
}
