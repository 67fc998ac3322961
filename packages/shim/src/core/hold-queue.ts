/** The calls that wait for a place: the connections take turns, and of one connection the call that came first is first. */
import type { Holder, HoldPlace } from './hold-place.ts';

export class HoldQueue {
  /** By connection. The one that was served last is the last. */
  readonly #lines = new Map<object, Set<HoldPlace>>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  add(place: HoldPlace): void {
    const { connection } = place.holder;
    const line = this.#lines.get(connection) ?? new Set();
    line.add(place);
    this.#lines.set(connection, line);
    this.#size += 1;
  }

  delete(place: HoldPlace): void {
    const { connection } = place.holder;
    const line = this.#lines.get(connection);
    line?.delete(place);
    if (line?.size === 0) this.#lines.delete(connection);
    this.#size -= 1;
  }

  /** Takes out the call whose turn it is among those that `hasRoom` has a place for. */
  take(hasRoom: (holder: Holder) => boolean): HoldPlace | undefined {
    for (const [connection, line] of this.#lines) {
      for (const place of line) {
        if (!hasRoom(place.holder)) continue;
        this.delete(place);
        // To the end of the turns.
        if (this.#lines.delete(connection)) this.#lines.set(connection, line);
        return place;
      }
    }
    return undefined;
  }

  /** The call that is to make way for one of `connection`: the last of the longest line, where that has fewer in its own. */
  findToMakeWay(connection: object): HoldPlace | undefined {
    let longest: ReadonlySet<HoldPlace> = new Set();
    let most = 1 + (this.#lines.get(connection)?.size ?? 0);
    for (const line of this.#lines.values()) {
      if (line.size <= most) continue;
      longest = line;
      most = line.size;
    }
    return [...longest].at(-1);
  }

  list(): HoldPlace[] {
    return [...this.#lines.values()].flatMap((line) => [...line]);
  }
}
