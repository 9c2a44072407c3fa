import { interleave } from '../measure/interleave.ts';
import type { Pace } from '../measure/interleave.ts';
import type { Row } from '../report/row.ts';
import type { Installation } from '../stand/stand.ts';
import { growthRow, time } from './response-times.ts';
import { postsPath } from './calls.ts';

const SECTION = 'Posts of the people found, against page 1 of all';
const KINDS = [
  { kind: 'person', name: 'one person', mark: 'typicalFilter' },
  { kind: 'typical', name: 'one in a hundred', mark: 'typicalFilter' },
  { kind: 'broad', name: 'everybody', mark: 'broadFilter' },
] as const;
export async function people(
  { large, small }: { large: Installation; small: Installation },
  pace: Pace,
): Promise<Row[]> {
  const rows: Row[] = [];
  for (const { kind, name, mark } of KINDS) {
    const filtered = ({ facts, call }: Installation) =>
      call({ path: postsPath({ userFilter: facts[kind] }) });
    const { found, all, before } = await interleave(
      {
        found: filtered(large),
        all: large.call({ path: postsPath({}) }),
        before: filtered(small),
      },
      pace,
    );
    rows.push(
      {
        section: SECTION,
        name,
        ours: time(found),
        against: { name: 'page 1', ...time(all) },
        mark,
      },
      growthRow(`user filter, ${name}`, found, before, small),
    );
  }
  return rows;
}
