/** The metrics of held calls. Their attributes have few values, whoever calls: no name, no key, no id. */
import type { BatchObservableCallback, Meter } from '@opentelemetry/api';
import type { DualEraEvent } from '../core/events.ts';
import type { Holds } from '../core/holds.ts';
import { KIND, OUTCOME } from './attributes.ts';

/** In seconds. A model answers within seconds, a person within minutes, and a call may take several rounds. */
const BOUNDARIES = [0.1, 0.5, 1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1_200, 1_800, 3_600];

export class HoldMetrics {
  readonly #instruments: ReturnType<typeof instrumentsOf>;
  /** Reads the holds no more. */
  readonly stop: () => void;

  constructor(meter: Meter, holds: Holds | undefined) {
    this.#instruments = instrumentsOf(meter);
    this.stop = holds === undefined ? () => undefined : observe(meter, holds);
  }

  take(event: DualEraEvent): void {
    const { rounds, answerTimes, legs, holds, holdTimes } = this.#instruments;
    if (event.type === 'round-start') {
      rounds.add(1);
    } else if (event.type === 'leg-end') {
      legs.add(1, { [KIND]: event.kind, [OUTCOME]: event.outcome });
    } else if (event.type === 'round-end') {
      if (event.legs > 0) answerTimes.record(event.ms / 1_000, { [OUTCOME]: event.outcome });
    } else if (event.type === 'hold-end') {
      holds.add(1, { [OUTCOME]: event.outcome });
      holdTimes.record(event.ms / 1_000, { [OUTCOME]: event.outcome });
    }
  }
}

// Inferred, as the instruments are named where they are made.
function instrumentsOf(meter: Meter) {
  const seconds = { unit: 's', advice: { explicitBucketBoundaries: BOUNDARIES } };
  return {
    rounds: meter.createCounter('mcp_dual_era.rounds', {
      description: 'Rounds that went out, those without questions too',
      unit: '{round}',
    }),
    answerTimes: meter.createHistogram('mcp_dual_era.answer.duration', {
      description: 'From the first question of a round until its last answer, or until the round was cut off',
      ...seconds,
    }),
    legs: meter.createCounter('mcp_dual_era.legs', { description: 'Questions that are over', unit: '{leg}' }),
    holds: meter.createCounter('mcp_dual_era.holds', { description: 'Held calls that are over', unit: '{call}' }),
    holdTimes: meter.createHistogram('mcp_dual_era.hold.duration', {
      description: 'From the first question of a call until its end',
      ...seconds,
    }),
  };
}

/** Reports what `holds` shows, whenever it is collected, until the function that it returns is called. */
function observe(meter: Meter, holds: Holds): () => void {
  const held = meter.createObservableGauge('mcp_dual_era.calls.held', {
    description: 'Calls that hold a place now',
    unit: '{call}',
  });
  const queued = meter.createObservableGauge('mcp_dual_era.calls.queued', {
    description: 'Calls that wait for a place now',
    unit: '{call}',
  });
  const refused = meter.createObservableCounter('mcp_dual_era.calls.refused', {
    description: 'Calls that got no place, and ended as busy',
    unit: '{call}',
  });
  const instruments = [held, queued, refused];
  const read: BatchObservableCallback = (result) => {
    const stats = holds.stats();
    result.observe(held, stats.held);
    result.observe(queued, stats.queued);
    result.observe(refused, stats.refused);
  };
  meter.addBatchObservableCallback(read, instruments);
  return () => meter.removeBatchObservableCallback(read, instruments);
}
