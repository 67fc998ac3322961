/** Gives a client that went away from its streams, but can come back to them, the time to do so. */
import type { Clock } from '../core/options.ts';

export class StreamGrace {
  readonly #ms: number | undefined;
  readonly #clock: Clock;
  /** Streams that came back and are open. Which call they carry on is not told, so each of them counts for all. */
  #attached = 0;
  /** Who waits, each with its timer, which stands still while a stream is attached. */
  readonly #waiting = new Map<() => void, unknown>();

  /** @param ms - undefined: for ever. */
  constructor(ms: number | undefined, clock: Clock) {
    this.#ms = ms;
    this.#clock = clock;
  }

  /** Calls `onLost` once no stream has been attached for the whole grace; the returned function stops that. */
  wait(onLost: () => void): () => void {
    if (this.#ms === undefined) return () => undefined;
    this.#waiting.set(onLost, undefined);
    if (this.#attached === 0) this.#start(onLost, this.#ms);
    return () => {
      this.#stop(onLost);
      this.#waiting.delete(onLost);
    };
  }

  /** A stream came back; the returned function says that it is gone again. */
  attach(): () => void {
    this.#attached += 1;
    for (const onLost of this.#waiting.keys()) this.#stop(onLost);
    let isAttached = true;
    return () => {
      if (!isAttached) return;
      isAttached = false;
      this.#attached -= 1;
      if (this.#attached > 0 || this.#ms === undefined) return;
      for (const onLost of this.#waiting.keys()) this.#start(onLost, this.#ms);
    };
  }

  #start(onLost: () => void, ms: number): void {
    const timer = this.#clock.setTimeout(() => {
      this.#waiting.delete(onLost);
      onLost();
    }, ms);
    this.#waiting.set(onLost, timer);
  }

  #stop(onLost: () => void): void {
    const timer = this.#waiting.get(onLost);
    if (timer === undefined) return;
    this.#clock.clearTimeout(timer);
    this.#waiting.set(onLost, undefined);
  }
}
