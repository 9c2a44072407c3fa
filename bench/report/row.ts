import type { MarkId } from '../marks.ts';

/** A figure as it is shown: a number that leads, and what belongs to it. */
export type Figure = { value: number; p99?: number; unit: Unit };
export type Unit = 'ms' | 's' | '/s' | 'MB' | 'kB' | '% of a core' | 'posts' | 'events';

/** One line of the table. */
export type Row = {
  section: string;
  name: string;
  ours: Figure;
  /** What it is held against; null for a plain figure. */
  against: (Figure & { name: string }) | null;
  /** What a mark is held against when that is no ratio. */
  measured?: number;
  mark: MarkId | null;
};

export function ratioOf({ ours, against }: Row): number | null {
  return against === null ? null : ours.value / against.value;
}
