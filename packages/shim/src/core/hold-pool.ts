/**
 * The places for held calls: who gets one, who waits for one, and who is told to come back later. Pure but for the clock
 * it is given.
 */
import { type Holder, HoldPlace } from './hold-place.ts';
import { HoldQueue } from './hold-queue.ts';
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

/** Which limit a call met: of the whole process, of its connection, of its caller; or the process is being drained. */
export type HoldLimit = 'max' | 'maxPerConnection' | 'maxPerSubject' | 'draining';

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
  readonly #queue = new HoldQueue();
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
    return this.#queue.size;
  }

  get isDraining(): boolean {
    return this.#isDraining;
  }

  enter(holder: Holder): HoldPlace {
    const place = new HoldPlace(this, holder);
    // Whoever waits, waits for a limit of its own: had it been free to enter, it would have.
    if (this.#hasRoom(holder)) this.#seat(place);
    else if (!this.#isDraining && this.#makeRoomInQueue(holder.connection)) this.#enqueue(place);
    else this.refused += 1;
    return place;
  }

  release(place: HoldPlace): void {
    if (place.state === 'queued') {
      this.#queue.delete(place);
      this.#stopWaiting(place, 'left');
    }
    if (!this.#held.delete(place)) return;
    this.#count(place.holder, -1);
    place.become('left');
    // Two may have waited for the same one to leave: for a place on its connection, and for one of its subject's.
    while (this.#seatNext());
    if (this.#held.size === 0) this.#tellEmpty();
  }

  /** Gives no more places, and calls `onEmpty` once none is held. What holds one now is returned. */
  drain(onEmpty: () => void): readonly HoldPlace[] {
    this.#isDraining = true;
    for (const place of this.#queue.list()) this.#refuse(place);
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

  readonly #hasRoom = (holder: Holder): boolean => this.limitFor(holder) === undefined;

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

  /** Gives a place to the call whose turn it is; whether there was one. */
  #seatNext(): boolean {
    const place = this.#queue.take(this.#hasRoom);
    if (place === undefined) return false;
    this.#clock.clearTimeout(place.timer);
    this.#seat(place);
    return true;
  }

  /** A full queue makes room for a connection that has fewer calls in it than another. */
  #makeRoomInQueue(connection: object): boolean {
    if (this.queued < this.#limits.queue) return true;
    const last = this.#queue.findToMakeWay(connection);
    if (last === undefined) return false;
    this.#refuse(last);
    return true;
  }

  #enqueue(place: HoldPlace): void {
    place.become('queued');
    place.timer = this.#clock.setTimeout(() => this.#refuse(place), this.#limits.queueTimeout);
    this.#queue.add(place);
    this.mostQueued = Math.max(this.mostQueued, this.queued);
  }

  #refuse(place: HoldPlace): void {
    this.refused += 1;
    this.#queue.delete(place);
    this.#stopWaiting(place, 'refused');
  }

  #stopWaiting(place: HoldPlace, state: 'refused' | 'left'): void {
    this.#clock.clearTimeout(place.timer);
    place.become(state);
  }
}
