/** What one call has of the places for held calls, from its first question to its end. */

/** On whose behalf a call is held. */
export interface Holder {
  readonly connection: object;
  /** Who calls; undefined where nobody knows, so that the connection stands in. */
  readonly subject: string | undefined;
}

/** `held`: has a place. `queued`: waits for one. `refused`: got none. `left`: has given its place, or its turn, back. */
type PlaceState = 'held' | 'queued' | 'refused' | 'left';

/** Whoever gave the place. */
interface Giver {
  /** Calls that were held so far. */
  calls: number;
  release(place: HoldPlace): void;
}

export class HoldPlace {
  readonly holder: Holder;
  readonly #giver: Giver;
  #state: PlaceState = 'refused';
  #onSettled: (() => void) | undefined;
  #onGone: (() => void) | undefined;
  #answer: Promise<unknown> | undefined;
  /** Ends the call at the end of a drain, where it waits for an answer; whether it did. */
  onDrained: (() => boolean) | undefined;
  /** Whether the time of a drain is over. */
  isDrained = false;
  /** Whether it was the drain that ended the call. */
  wasEnded = false;
  /** Ends its wait, where it waits. */
  timer: unknown;

  constructor(giver: Giver, holder: Holder) {
    this.#giver = giver;
    this.holder = holder;
  }

  get state(): PlaceState {
    return this.#state;
  }

  /** Of one that waits: settles once it waits no longer. */
  settled(): Promise<void> {
    return new Promise((resolve) => {
      this.#onSettled = resolve;
    });
  }

  become(state: PlaceState): void {
    this.#state = state;
    if (state !== 'queued') this.#onSettled?.();
    if (state === 'left') this.#onGone?.();
  }

  /** The first question goes out: from here on, the call counts as one that was held. */
  begin(): void {
    this.#giver.calls += 1;
  }

  /** Gives the place, or the turn in the queue, back. */
  leave(): void {
    this.#giver.release(this);
  }

  /** `sent` settles when the answer to the call is on its way. */
  noteAnswer(sent: Promise<unknown>): void {
    this.#answer = sent;
  }

  /** Settles once the place is given back, and the answer that ended the call is on its way. */
  async gone(): Promise<void> {
    if (this.#state === 'held') {
      await new Promise<void>((resolve) => {
        this.#onGone = resolve;
      });
    }
    await this.#answer;
  }
}
