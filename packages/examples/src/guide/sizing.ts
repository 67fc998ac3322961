/** A pool that is as large as it has to be. */
import { createHolds, type Holds, sizeWorkerPool } from 'mcp-dual-era';

export function createSizedHolds(): Holds {
  // #region size
  const { slots, warnings } = sizeWorkerPool({
    callsPerSecond: 2,
    rounds: 2,
    answerTime: { mean: 20_000, shape: 'exponential' },
    roundTimeout: 120_000,
    target: { refused: 0.01 },
  });
  for (const warning of warnings) console.error(warning);
  const holds = createHolds({ max: slots });
  // #endregion size
  return holds;
}

export function resizedSlots(holds: Holds): number {
  // #region measured
  const { answerTimes, calls, refused, elapsedMs } = holds.stats();
  const { slots } = sizeWorkerPool({
    callsPerSecond: (calls + refused) / (elapsedMs / 1_000),
    rounds: answerTimes.count / calls,
    answerTime: { histogram: answerTimes },
    roundTimeout: 120_000,
    target: { refused: 0.01 },
  });
  // #endregion measured
  return slots;
}
