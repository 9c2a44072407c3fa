import { POST_SORTS } from '@meridian/contract/posts';
import { interleave } from '../measure/interleave.ts';
import type { Pace } from '../measure/interleave.ts';
import type { Row } from '../report/row.ts';
import type { Place } from '../stand/stand.ts';
import { countText, growthRow, time } from './answer-times.ts';
import { postsPath } from './calls.ts';

/** A page in the middle of the list against its first one, by each sort. */
export async function depth(
  { large, small }: { large: Place; small: Place },
  pace: Pace,
): Promise<Row[]> {
  const rows: Row[] = [];
  for (const sort of POST_SORTS) {
    const deepOf = ({ facts, call }: Place) =>
      call({ path: postsPath({ sort, offset: facts.middle }) });
    const { deep, first, before } = await interleave(
      {
        deep: deepOf(large),
        first: large.call({ path: postsPath({ sort }) }),
        before: deepOf(small),
      },
      pace,
    );
    const name = `posts by ${sort}, the middle page`;
    rows.push(
      {
        section: `Depth: offset ${countText(large.facts.middle)} of ${countText(large.database.posts)}`,
        name,
        ours: time(deep),
        against: { name: 'page 1', ...time(first) },
        mark: 'depth',
      },
      growthRow(name, deep, before, small),
    );
  }
  return rows;
}
