import { createHash } from 'node:crypto';

/** Reproducible randomness: the same seed text gives the same numbers on every machine. */
export type Random = {
  /** From 0 up to, but not including, 1. */
  unit(): number;
  between: (min: number, max: number) => number;
  /** A whole number, both ends included. */
  int: (min: number, max: number) => number;
  chance(probability: number): boolean;
  pick<T>(list: readonly T[]): T;
  weighted<T>(choices: readonly (readonly [value: T, weight: number])[]): T;
  shuffled<T>(list: readonly T[]): T[];
  bytes(length: number): Uint8Array;
  text(alphabet: string, length: number): string;
};

export function createRandom(seed: string): Random {
  const next = smallFastCounter(seed);
  const unit = () => next() / 2 ** 32;
  const int = (min: number, max: number) => min + Math.floor(unit() * (max - min + 1));
  const pick = <T>(list: readonly T[]): T => {
    if (list.length === 0) throw new RangeError('Nothing to pick from');
    return list[int(0, list.length - 1)] as T; // The index is within the list.
  };
  return {
    unit,
    int,
    pick,
    between: (min, max) => min + unit() * (max - min),
    chance: (probability) => unit() < probability,
    weighted: (choices) => lottery(choices)(unit()),
    shuffled<T>(list: readonly T[]): T[] {
      const keyed = list.map((value) => ({ value, key: unit() }));
      return keyed.toSorted((a, b) => a.key - b.key).map(({ value }) => value);
    },
    bytes: (length) => Uint8Array.from({ length }, () => next() & 0xff),
    text: (alphabet, length) =>
      Array.from({ length }, () => alphabet.charAt(int(0, alphabet.length - 1))).join(''),
  };
}

/** Prepared for many draws: takes a number from 0 to 1, logarithmic time. */
export function lottery<T>(choices: readonly (readonly [value: T, weight: number])[]) {
  let total = 0;
  const ends = choices.map(([, weight]) => (total += weight));
  return (share: number): T => {
    const target = share * total;
    let low = 0;
    let high = choices.length - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((ends[middle] ?? 0) > target) high = middle;
      else low = middle + 1;
    }
    const chosen = choices[low];
    if (chosen === undefined) throw new RangeError('Nothing to choose from');
    return chosen[0];
  };
}

/** The generator sfc32: 32 random bits a call, a period far beyond any use here. */
function smallFastCounter(seed: string): () => number {
  const state = createHash('sha256').update(seed).digest();
  let [a, b, c] = [state.readInt32LE(0), state.readInt32LE(4), state.readInt32LE(8)];
  let counter = 1;
  return () => {
    const result = (a + b + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = ((c << 21) | (c >>> 11)) + result;
    return result >>> 0;
  };
}
