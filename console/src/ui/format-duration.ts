import { formatNumber } from './format-number.ts';

const UNITS: readonly [unit: string, ms: number][] = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1000],
];

/** 12 -> '12 ms', 1250 -> '1.3 s', 5_400_000 -> '1.5 h' */
export function formatDuration(ms: number): string {
  const size = Math.abs(ms);
  const [unit, length] = UNITS.find(([, least]) => size >= least) ?? ['ms', 1];
  const value = size / length;
  return `${formatNumber(length === 1 ? Math.round(value) : Math.round(value * 10) / 10)} ${unit}`;
}
