import type { Closers } from '../../server/src/closers.ts';
import type { Plan } from '../arguments.ts';
import { interleave } from '../measure/interleave.ts';
import type { Row } from '../report/row.ts';
import type { Cluster } from '../stand/databases.ts';
import { createImported, IMPORTED_PEOPLE } from '../stand/imported-data.ts';
import { openInstallation } from '../stand/stand.ts';
import { countText, time } from './response-times.ts';
import { postsPath } from './calls.ts';
import { middleByNext } from './depth.ts';

/**
 * The promises of the lists on data that another program made: ids without a time in them, posts spread
 * over fifteen months, many people.
 */
export async function imported(cluster: Cluster, plan: Plan, closers: Closers): Promise<Row[]> {
  const database = await createImported(cluster, 'bench_imported', plan.large);
  const place = await openInstallation(cluster, database, closers);
  const { call } = place;
  const posts = (query: Record<string, string>) => call({ path: postsPath(query) });
  const cases = [
    {
      name: 'the middle page by Next',
      ours: await middleByNext(place, 'scheduled_at'),
      mark: 'depth',
    },
    { name: 'a rare status', ours: posts({ status: 'EXECUTING' }), mark: 'depth' },
    { name: 'statistics', ours: call({ path: '/api/admin/stats' }), mark: 'depth' },
    {
      name: 'a search that finds no one',
      ours: posts({ userFilter: 'zzzzzz' }),
      mark: 'typicalFilter',
    },
    { name: 'one person', ours: posts({ userFilter: place.facts.person }), mark: 'typicalFilter' },
    { name: '100 people', ours: posts({ userFilter: '-small' }), mark: 'typicalFilter' },
    { name: '1,000 people', ours: posts({ userFilter: '-garden' }), mark: 'typicalFilter' },
    {
      name: 'two in three people',
      ours: posts({ userFilter: 'bsky.social' }),
      mark: 'broadFilter',
    },
  ] as const;
  const rows: Row[] = [];
  for (const { name, ours, mark } of cases) {
    const taken = await interleave({ ours, first: posts({}) }, plan.pace);
    rows.push({
      section: `Imported data: ${countText(plan.large)} posts of ${countText(IMPORTED_PEOPLE)} people`,
      name,
      ours: time(taken.ours),
      against: { name: 'page 1', ...time(taken.first) },
      mark,
    });
  }
  return rows;
}
