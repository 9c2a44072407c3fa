export type Summary = { p50: number; p99: number; samples: number };

/** The value below which the share lies, between neighbours in proportion. */
export function quantile(samples: readonly number[], share: number): number {
  if (samples.length === 0) throw new RangeError('Nothing was measured');
  const sorted = samples.toSorted((a, b) => a - b);
  const place = (sorted.length - 1) * share;
  const low = sorted[Math.floor(place)] ?? 0;
  const high = sorted[Math.ceil(place)] ?? low;
  return low + (high - low) * (place - Math.floor(place));
}

export function summarise(samples: readonly number[]): Summary {
  return {
    p50: quantile(samples, 0.5),
    p99: quantile(samples, 0.99),
    samples: samples.length,
  };
}
