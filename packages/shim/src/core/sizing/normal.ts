/**
 * The normal distribution function by its Taylor series: G. Marsaglia, "Evaluating the Normal Distribution", Journal of
 * Statistical Software 11(4), 2004. The absolute error is about 1e-15.
 */
export function normalCdf(x: number): number {
  // What is left out here is less than 1e-15.
  if (Math.abs(x) > 8) return x > 0 ? 1 : 0;
  let term = x;
  let sum = x;
  for (let divisor = 3; sum + term !== sum; divisor += 2) {
    term *= (x * x) / divisor;
    sum += term;
  }
  return 0.5 + (sum * Math.exp(-(x * x) / 2)) / Math.sqrt(2 * Math.PI);
}
