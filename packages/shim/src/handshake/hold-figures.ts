/** The figures of a process's holds, kept by listening to the events of its connections. */
import type { AskKind } from '../core/embedded-request.ts';
import type { DualEraEvent, HoldOutcome, LegOutcome } from '../core/events.ts';
import type { HoldStats } from '../core/holds.ts';
import { TimeHistogram } from './time-histogram.ts';

export class HoldFigures {
  readonly #holdTimes = new TimeHistogram();
  readonly #answerTimes = new TimeHistogram();
  readonly #legs: Partial<Record<AskKind, Partial<Record<LegOutcome, number>>>> = {};
  readonly #outcomes: Partial<Record<HoldOutcome, number>> = {};
  #openLegs = 0;
  #rounds = 0;

  /** The mean of all hold times so far, in milliseconds; 0 where there is none. */
  get meanHold(): number {
    return this.#holdTimes.mean;
  }

  take(event: DualEraEvent): void {
    if (event.type === 'round-start') this.#rounds += 1;
    else if (event.type === 'leg-start') this.#openLegs += 1;
    else if (event.type === 'leg-end') this.#endLeg(event.kind, event.outcome);
    else if (event.type === 'round-end' && event.legs > 0) this.#answerTimes.record(event.ms);
    else if (event.type === 'hold-end') this.#endHold(event.outcome, event.ms);
  }

  read(): Pick<HoldStats, 'openLegs' | 'rounds' | 'legs' | 'outcomes' | 'holdTimes' | 'answerTimes'> {
    return {
      openLegs: this.#openLegs,
      rounds: this.#rounds,
      legs: structuredClone(this.#legs),
      outcomes: { ...this.#outcomes },
      holdTimes: this.#holdTimes.read(),
      answerTimes: this.#answerTimes.read(),
    };
  }

  #endLeg(kind: AskKind, outcome: LegOutcome): void {
    this.#openLegs -= 1;
    const outcomes = this.#legs[kind] ?? {};
    this.#legs[kind] = outcomes;
    outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
  }

  #endHold(outcome: HoldOutcome, ms: number): void {
    this.#outcomes[outcome] = (this.#outcomes[outcome] ?? 0) + 1;
    this.#holdTimes.record(ms);
  }
}
