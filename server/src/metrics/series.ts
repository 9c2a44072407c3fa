import type { Family, Labels, Sample } from './exposition.ts';

/** One entry per distinct set of labels, in the order of first use. */
function byLabels<T>(make: () => T) {
  const entries = new Map<string, { labels: Labels; value: T }>();
  return {
    entries,
    at(labels: Labels): { labels: Labels; value: T } {
      const key = JSON.stringify(labels);
      const found = entries.get(key) ?? { labels, value: make() };
      entries.set(key, found);
      return found;
    },
  };
}

export function createCounter(name: string, help: string) {
  const counts = byLabels(() => 0);
  return {
    add(labels: Labels): void {
      counts.at(labels).value += 1;
    },
    family: (): Family => ({ name, kind: 'counter', help, samples: [...counts.entries.values()] }),
  };
}

type Distribution = { buckets: number[]; sum: number; count: number };

/** How often a duration in seconds was at most each of the bounds, and all durations together. */
export function createHistogram(name: string, help: string, bounds: readonly number[]) {
  const series = byLabels<Distribution>(() => ({ buckets: bounds.map(() => 0), sum: 0, count: 0 }));
  return {
    observe(seconds: number, labels: Labels = {}): void {
      const { value } = series.at(labels);
      value.sum += seconds;
      value.count += 1;
      // Counted where it falls; added up when asked.
      const index = bounds.findIndex((bound) => seconds <= bound);
      if (index !== -1) value.buckets[index] = (value.buckets[index] ?? 0) + 1;
    },
    family: (): Family => ({
      name,
      kind: 'histogram',
      help,
      samples: [...series.entries.values()].flatMap(({ labels, value }) =>
        samplesOf(bounds, labels, value),
      ),
    }),
  };
}

function samplesOf(bounds: readonly number[], labels: Labels, distribution: Distribution) {
  const { buckets, sum, count } = distribution;
  let below = 0;
  const samples = bounds.map((bound, index): Sample => {
    below += buckets[index] ?? 0;
    return { suffix: '_bucket', labels: { ...labels, le: String(bound) }, value: below };
  });
  return [
    ...samples,
    { suffix: '_bucket', labels: { ...labels, le: '+Inf' }, value: count },
    { suffix: '_sum', labels, value: sum },
    { suffix: '_count', labels, value: count },
  ] satisfies Sample[];
}
