/**
 * The places for held calls: who gets one, who waits for one, and who is told to come back later. Pure but for the clock
 * it is given.
 */
import type { Clock } from './options.ts';

export interface HoldLimits {
  readonly max: number;
  readonly maxPerConnection: number;
  readonly maxPerSubject: number;
  /** How many calls may wait. */
  readonly queue: number;
  /** How long one waits, in milliseconds. */
  readonly queueTimeout: number;
}

/** On whose behalf a call is held. */
export interface Holder {
  readonly connection: object;
  /** Who calls; undefined where nobody knows, so that the connection stands in. */
  readonly subject: string | undefined;
}

/** Which limit a call met: of the whole process, of its connection, of its caller; or the process is being drained. */
export type HoldLimit = 'max' | 'maxPerConnection' | 'maxPerSubject' | 'draining';

/** `held`: has a place. `queued`: waits for one. `refused`: got none. `left`: has given its place, or its turn, back. */
type PlaceState = 'held' | 'queued' | 'refused' | 'left';

/** What one call has of the pool, from its first question to its end. */
export class HoldPlace {
  readonly holder: Holder;
  readonly #pool: HoldPool;
  #state: PlaceState = 'refused';
  #hasBegun = false;
  #onSettled: (() => void) | undefined;
  #onGone: (() => void) | undefined;
  #answer: Promise<unknown> | undefined;
  /** Ends the call at the end of a drain, where it waits for an answer; whether it did. */
  onDrained: (() => boolean) | undefined;
  /** Whether the time of a drain is over. */
  isDrained = false;
  /** Whether it was the drain that ended the call. */
  wasEnded = false;
  timer: unknown;

  constructor(pool: HoldPool, holder: Holder) {
    this.#pool = pool;
    this.holder = holder;
  }

  get state(): PlaceState {
    return this.#state;
  }

  /** Settles once it waits no longer. */
  settled(): Promise<void> {
    return new Promise((resolve) => {
      if (this.#state === 'queued') this.#onSettled = resolve;
      else resolve();
    });
  }

  become(state: PlaceState): void {
    this.#state = state;
    if (state !== 'queued') this.#onSettled?.();
    if (state === 'left') this.#onGone?.();
  }

  /** The first question goes out: from here on, the call counts as one that was held. */
  begin(): void {
    if (this.#hasBegun) return;
    this.#hasBegun = true;
    this.#pool.calls += 1;
  }

  /** Gives the place, or the turn in the queue, back. */
  leave(): void {
    this.#pool.release(this);
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

class Counts {
  readonly #counts = new Map<unknown, number>();

  of(key: unknown): number {
    return this.#counts.get(key) ?? 0;
  }

  add(key: unknown, by: 1 | -1): void {
    const count = this.of(key) + by;
    if (count === 0) this.#counts.delete(key);
    else this.#counts.set(key, count);
  }
}

export class HoldPool {
  readonly #limits: HoldLimits;
  readonly #clock: Clock;
  readonly #held = new Set<HoldPlace>();
  readonly #byConnection = new Counts();
  /** Callers that are nobody count by their connection. */
  readonly #bySubject = new Counts();
  /** Those that wait, by connection. The connection that was served last is the last. */
  readonly #queues = new Map<object, Set<HoldPlace>>();
  #queued = 0;
  #isDraining = false;
  readonly #onEmpty = new Set<() => void>();
  mostHeld = 0;
  mostQueued = 0;
  calls = 0;
  refused = 0;

  constructor(limits: HoldLimits, clock: Clock) {
    this.#limits = limits;
    this.#clock = clock;
  }

  get held(): number {
    return this.#held.size;
  }

  get queued(): number {
    return this.#queued;
  }

  get isDraining(): boolean {
    return this.#isDraining;
  }

  enter(holder: Holder): HoldPlace {
    const place = new HoldPlace(this, holder);
    // Whoever waits, waits for a limit of its own: had it been free to enter, it would have.
    if (this.limitFor(holder) === undefined) this.#seat(place);
    else if (!this.#isDraining && this.#makeRoomInQueue(holder.connection)) this.#enqueue(place);
    else this.refused += 1;
    return place;
  }

  release(place: HoldPlace): void {
    if (place.state === 'queued') this.#dequeue(place, 'left');
    if (place.state !== 'held') return;
    place.onDrained = undefined;
    this.#held.delete(place);
    this.#count(place.holder, -1);
    place.become('left');
    // Two may have waited for the same one to leave: for a place on its connection, and for one of its subject's.
    while (this.#queued > 0 && this.#seatNext());
    if (this.#held.size === 0) this.#tellEmpty();
  }

  /** Gives no more places, and calls `onEmpty` once none is held. What holds one now is returned. */
  drain(onEmpty: () => void): readonly HoldPlace[] {
    this.#isDraining = true;
    for (const queue of [...this.#queues.values()]) for (const place of [...queue]) this.#refuse(place);
    this.#onEmpty.add(onEmpty);
    if (this.#held.size === 0) this.#tellEmpty();
    return [...this.#held];
  }

  /** Ends the calls that hold a place and wait for an answer. */
  cutOff(): void {
    const places = [...this.#held];
    for (const place of places) place.isDrained = true;
    for (const place of places) place.wasEnded ||= place.onDrained?.() === true;
  }

  /** What `holder` would have to wait for; undefined where there is a place. */
  limitFor({ connection, subject }: Holder): HoldLimit | undefined {
    const { max, maxPerConnection, maxPerSubject } = this.#limits;
    if (this.#isDraining) return 'draining';
    if (this.#held.size >= max) return 'max';
    if (this.#byConnection.of(connection) >= maxPerConnection) return 'maxPerConnection';
    return this.#bySubject.of(subject ?? connection) >= maxPerSubject ? 'maxPerSubject' : undefined;
  }

  #tellEmpty(): void {
    const listeners = [...this.#onEmpty];
    this.#onEmpty.clear();
    for (const listener of listeners) listener();
  }

  #count({ connection, subject }: Holder, by: 1 | -1): void {
    this.#byConnection.add(connection, by);
    this.#bySubject.add(subject ?? connection, by);
  }

  #seat(place: HoldPlace): void {
    this.#held.add(place);
    this.#count(place.holder, 1);
    this.mostHeld = Math.max(this.mostHeld, this.#held.size);
    place.become('held');
  }

  /** Gives a place to the connection whose turn it is, and there to the call that came first; whether one could be given. */
  #seatNext(): boolean {
    for (const [connection, queue] of this.#queues) {
      for (const place of queue) {
        if (this.limitFor(place.holder) !== undefined) continue;
        this.#dequeue(place, 'held');
        if (queue.size === 0) return true;
        this.#queues.delete(connection);
        this.#queues.set(connection, queue);
        return true;
      }
    }
    return false;
  }

  /** A full queue makes room for a connection that has fewer calls in it: the last call of the one with most goes. */
  #makeRoomInQueue(connection: object): boolean {
    if (this.#queued < this.#limits.queue) return true;
    const most = [...this.#queues.values()].reduce<Set<HoldPlace> | undefined>(
      (longest, queue) => (longest === undefined || queue.size > longest.size ? queue : longest),
      undefined,
    );
    const own = this.#queues.get(connection)?.size ?? 0;
    if (most === undefined || most.size <= own + 1) return false;
    const last = [...most].at(-1);
    if (last !== undefined) this.#refuse(last);
    return true;
  }

  #enqueue(place: HoldPlace): void {
    const { connection } = place.holder;
    place.become('queued');
    place.timer = this.#clock.setTimeout(() => this.#refuse(place), this.#limits.queueTimeout);
    const queue = this.#queues.get(connection) ?? new Set();
    queue.add(place);
    this.#queues.set(connection, queue);
    this.#queued += 1;
    this.mostQueued = Math.max(this.mostQueued, this.#queued);
  }

  #refuse(place: HoldPlace): void {
    this.refused += 1;
    this.#dequeue(place, 'refused');
  }

  #dequeue(place: HoldPlace, state: PlaceState): void {
    const { connection } = place.holder;
    const queue = this.#queues.get(connection);
    queue?.delete(place);
    if (queue?.size === 0) this.#queues.delete(connection);
    this.#queued -= 1;
    this.#clock.clearTimeout(place.timer);
    if (state === 'held') this.#seat(place);
    else place.become(state);
  }
}
