/**
 * The accuracy of the best threshold between two sets of times: 0.5 when they are alike, 1 when they
 * never overlap. As the threshold is fitted to the data, chance alone gives a little more than 0.5.
 */
export function separability(one: readonly number[], other: readonly number[]): number {
  const times = [
    ...one.map((ms) => ({ ms, weight: 0.5 / one.length })),
    ...other.map((ms) => ({ ms, weight: -0.5 / other.length })),
  ].toSorted((a, b) => a.ms - b.ms);
  let below = 0;
  let best = 0;
  for (const [index, { ms, weight }] of times.entries()) {
    below += weight;
    // Between equal times there is no threshold.
    if (times[index + 1]?.ms !== ms) best = Math.max(best, Math.abs(below));
  }
  return 0.5 + best;
}

export function median(times: readonly number[]): number {
  const sorted = times.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  return ((sorted[Math.ceil(middle) - 1] ?? 0) + (sorted[Math.floor(middle)] ?? 0)) / 2;
}
