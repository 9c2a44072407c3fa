import type { Random } from '../random.ts';

/** A smooth random curve from 0 to 1 over all whole numbers; more octaves make it rougher. */
export function randomCurve(random: Random, octaves: number): (x: number) => number {
  const knots = Array.from({ length: 256 }, () => random.unit());
  const at = (x: number) => {
    const cell = Math.floor(x);
    const share = x - cell;
    const from = knots[cell & 255] ?? 0;
    const to = knots[(cell + 1) & 255] ?? 0;
    return from + (to - from) * share * share * (3 - 2 * share);
  };
  return (x) => {
    let sum = 0;
    let weight = 1;
    let total = 0;
    for (let octave = 0; octave < octaves; octave += 1) {
      sum += at(x * 2 ** octave + octave * 37) * weight;
      total += weight;
      weight *= 0.5;
    }
    return sum / total;
  };
}
