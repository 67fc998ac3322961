/** Measured times, in bounded memory: the HdrHistogram that comes with Node.js. */
// By its default, since a runtime that has no histograms must still be able to load the package.
import perfHooks from 'node:perf_hooks';
import type { MeasuredTimes } from '../core/holds.ts';

/** Two significant digits: every time is told within 1 % of itself. */
const FIGURES = 2;
/** What is counted: nanoseconds, so that the shortest time too is told within 1 %. */
const PER_MS = 1_000_000;
/** A hundred days. What lasts longer counts as that among the quantiles. */
const LONGEST = Number.MAX_SAFE_INTEGER;
/** The quantiles of a distribution: every half per cent, from 0 to 100. */
const STEPS = 200;

export class TimeHistogram {
  readonly #histogram = perfHooks.createHistogram({ lowest: 1, highest: LONGEST, figures: FIGURES });
  #count = 0;
  #sum = 0;
  #min = Number.POSITIVE_INFINITY;
  #max = 0;

  /** 0 where nothing was measured. */
  get mean(): number {
    return this.#count === 0 ? 0 : this.#sum / this.#count;
  }

  /** @param ms - at least 0. */
  record(ms: number): void {
    this.#histogram.record(Math.min(Math.max(1, Math.round(ms * PER_MS)), LONGEST));
    this.#count += 1;
    this.#sum += ms;
    this.#min = Math.min(this.#min, ms);
    this.#max = Math.max(this.#max, ms);
  }

  read(): MeasuredTimes {
    const quantiles = Array.from({ length: STEPS + 1 }, (_, step) => this.#quantile((100 * step) / STEPS));
    const [p50, p90, p95, p99] = [50, 90, 95, 99].map((percent) => this.#quantile(percent)) as [
      number,
      number,
      number,
      number,
    ];
    const min = this.#count === 0 ? 0 : this.#min;
    return { count: this.#count, mean: this.mean, min, max: this.#max, p50, p90, p95, p99, quantiles };
  }

  #quantile(percent: number): number {
    if (this.#count === 0) return 0;
    if (percent === 0) return this.#min;
    // It tells the highest time that it cannot tell from the one it has.
    return Math.min(Math.max(this.#histogram.percentile(percent) / PER_MS, this.#min), this.#max);
  }
}
