/** E. B. Wilson, "Probable Inference, the Law of Succession, and Statistical Inference", 1927. */

/** Between which shares the true one lies with 95 % confidence, after `share` of `count` independent trials. */
export function confidenceInterval(share: number, count: number): readonly [number, number] {
  const z = 1.959964;
  const weight = 1 + z ** 2 / count;
  const centre = (share + z ** 2 / (2 * count)) / weight;
  const half = (z / weight) * Math.sqrt((share * (1 - share)) / count + (z / (2 * count)) ** 2);
  return [Math.max(0, centre - half), Math.min(1, centre + half)];
}
