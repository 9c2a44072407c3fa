import { POST_SORTS } from '@meridian/contract/posts';
import type { PostSort } from '@meridian/contract/posts';
import { interleave } from '../measure/interleave.ts';
import type { Pace } from '../measure/interleave.ts';
import type { Row } from '../report/row.ts';
import type { Installation } from '../stand/stand.ts';
import { countText, growthRow, time } from './response-times.ts';
import { postsPath } from './calls.ts';

/** A page in the middle of the list, by Next and by its number, against page 1, by each sort. */
export async function depth(
  { large, small }: { large: Installation; small: Installation },
  pace: Pace,
): Promise<Row[]> {
  const rows: Row[] = [];
  const section = `Depth: offset ${countText(large.facts.middle)} of ${countText(large.database.posts)}`;
  for (const sort of POST_SORTS) {
    const { next, first, before } = await interleave(
      {
        next: await middleByNext(large, sort),
        first: large.call({ path: postsPath({ sort }) }),
        before: await middleByNext(small, sort),
      },
      pace,
    );
    const name = `posts by ${sort}, the middle page by Next`;
    const against = { name: 'page 1', ...time(first) };
    rows.push(
      { section, name, ours: time(next), against, mark: 'depth' },
      growthRow(name, next, before, small),
      await byNumber(large, sort, section, pace),
    );
  }
  return rows;
}

/** The cursor comes with the page before, as it does in the console. */
export async function middleByNext({ facts, call }: Installation, sort: PostSort) {
  const page = await call({ path: postsPath({ sort, offset: facts.middle - 20 }) })();
  const { cursors } = JSON.parse(page.toString()) as { cursors: { next: string } };
  return call({ path: postsPath({ sort, offset: facts.middle, cursor: cursors.next }) });
}

/** A page number typed into the address reads the index up to there: shown, not promised. */
async function byNumber(
  large: Installation,
  sort: PostSort,
  section: string,
  pace: Pace,
): Promise<Row> {
  const { deep, first } = await interleave(
    {
      deep: large.call({ path: postsPath({ sort, offset: large.facts.middle }) }),
      first: large.call({ path: postsPath({ sort }) }),
    },
    pace,
  );
  return {
    section,
    name: `posts by ${sort}, the middle page by its number`,
    ours: time(deep),
    against: { name: 'page 1', ...time(first) },
    mark: null,
  };
}
