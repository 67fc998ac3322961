/** Puts two lists side by side: what is in both, and what stands in its place where they differ. */

export interface Pair<Item> {
  readonly left?: Item;
  readonly right?: Item;
}

/**
 * The places where `left` and `right` differ, by a longest common subsequence. What was replaced is one pair, where
 * `isAlike` holds for the two; anything else is a pair of one.
 */
export function differingPairs<Item>(
  left: readonly Item[],
  right: readonly Item[],
  by: { readonly isSame: (left: Item, right: Item) => boolean; readonly isAlike: (left: Item, right: Item) => boolean },
): Pair<Item>[] {
  const lengths = commonLengths(left, right, by.isSame);
  const pairs: Pair<Item>[] = [];
  let removed: Item[] = [];
  let added: Item[] = [];
  const flush = (): void => {
    pairs.push(...pairsOf(removed, added, by.isAlike));
    removed = [];
    added = [];
  };
  for (let at = 0, beside = 0; at < left.length || beside < right.length; ) {
    const [one, other] = [left[at], right[beside]];
    const isSame = one !== undefined && other !== undefined && by.isSame(one, other);
    if (isSame) {
      flush();
      at += 1;
      beside += 1;
    } else if (
      other === undefined ||
      (one !== undefined && length(lengths, at + 1, beside) >= length(lengths, at, beside + 1))
    ) {
      removed.push(one as Item);
      at += 1;
    } else {
      added.push(other);
      beside += 1;
    }
  }
  flush();
  return pairs;
}

function pairsOf<Item>(removed: Item[], added: Item[], isAlike: (left: Item, right: Item) => boolean): Pair<Item>[] {
  const pairs = removed.map((left): Pair<Item> => {
    const index = added.findIndex((right) => isAlike(left, right));
    const [right] = index < 0 ? [] : added.splice(index, 1);
    return right === undefined ? { left } : { left, right };
  });
  return [...pairs, ...added.map((right) => ({ right }))];
}

/** For each pair of positions, how much the rests of both have in common. */
function commonLengths<Item>(
  left: readonly Item[],
  right: readonly Item[],
  isSame: (left: Item, right: Item) => boolean,
): number[][] {
  const lengths: number[][] = [];
  for (let at = left.length - 1; at >= 0; at -= 1) {
    const row: number[] = [];
    for (let beside = right.length - 1; beside >= 0; beside -= 1) {
      row[beside] = isSame(left[at] as Item, right[beside] as Item)
        ? length(lengths, at + 1, beside + 1) + 1
        : Math.max(length(lengths, at + 1, beside), row[beside + 1] ?? 0);
    }
    lengths[at] = row;
  }
  return lengths;
}

function length(lengths: readonly number[][], at: number, beside: number): number {
  return lengths[at]?.[beside] ?? 0;
}
