/**
 * Erlang's formulas: A. K. Erlang, "Solution of some Problems in the Theory of Probabilities of Significance in Automatic
 * Telephone Exchanges", 1917. The recurrence for B, and C from B: V. B. Iversen, "Teletraffic Engineering and Network
 * Planning", on the loss system and the delay system. B is the same for every distribution of holds with the same mean
 * (B. A. Sevast'yanov, 1957); C takes holds to be exponential.
 */

/** What is kept low: the share of calls that find every slot taken and are refused, or that have to wait. */
export type PoolMeasure = 'refused' | 'delayed';

/**
 * The share of calls at 1 slot, 2 slots and so on without end, for `load`: calls held at once on average, were there room
 * for all. The recurrence adds and multiplies positive numbers alone, so that its errors do not grow.
 */
export function* poolShares(load: number, measure: PoolMeasure): Generator<number, never> {
  let refused = 1;
  for (let slots = 1; ; slots += 1) {
    refused = (load * refused) / (slots + load * refused);
    // Without more slots than load, the line of those who wait grows for ever.
    const delayed = slots > load ? (slots * refused) / (slots - load + load * refused) : 1;
    yield measure === 'refused' ? refused : delayed;
  }
}

/** The fewest slots that keep the share at `target` or below, and the share there. */
export function fewestSlots(
  load: number,
  measure: PoolMeasure,
  target: number,
): { readonly slots: number; readonly share: number } {
  const shares = poolShares(load, measure);
  for (let slots = 1; ; slots += 1) {
    const share = shares.next().value;
    if (share <= target) return { slots, share };
  }
}
