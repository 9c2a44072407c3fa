import { MARKS } from '../marks.ts';
import type { Mark, MarkId } from '../marks.ts';
import { ratioOf } from './row.ts';
import type { Row } from './row.ts';

export type Verdict = {
  mark: MarkId;
  measured: number;
  /** The row that is the farthest off. */
  row: Row;
  isMet: boolean;
  /** How many of the rows under this mark meet it. */
  met: number;
  rows: number;
};

export function measuredOf(row: Row): number | null {
  return row.measured ?? ratioOf(row);
}

export function isMet(mark: Mark, measured: number): boolean {
  return mark.sense === 'at most' ? measured <= mark.limit : measured >= mark.limit;
}

/** Each mark by the row that is the farthest off. Marks that nothing was measured for are left out. */
export function verdictsOf(rows: readonly Row[]): Verdict[] {
  return markIds().flatMap((id) => {
    const mark: Mark = MARKS[id];
    const direction = mark.sense === 'at most' ? -1 : 1;
    const found = rows
      .filter((row) => row.mark === id)
      .flatMap((row) => {
        const measured = measuredOf(row);
        return measured === null ? [] : [{ row, measured }];
      })
      .toSorted((a, b) => (a.measured - b.measured) * direction);
    const [worst] = found;
    if (worst === undefined) return [];
    const met = found.filter(({ measured }) => isMet(mark, measured)).length;
    return [{ mark: id, ...worst, isMet: met === found.length, met, rows: found.length }];
  });
}

export function unmeasured(rows: readonly Row[]): MarkId[] {
  return markIds().filter((id) => !rows.some((row) => row.mark === id));
}

function markIds(): MarkId[] {
  // Object.keys forgets the type of the names.
  return Object.keys(MARKS) as MarkId[];
}
