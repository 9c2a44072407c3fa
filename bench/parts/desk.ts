import { interleave } from '../measure/interleave.ts';
import type { Pace } from '../measure/interleave.ts';
import type { Row } from '../report/row.ts';
import type { Facts } from '../stand/facts.ts';
import type { Installation } from '../stand/stand.ts';
import { postsPath } from './calls.ts';
import { growthRow, time } from './response-times.ts';

const SECTION = "Reads of the operator's desk, against page 1 of the posts";

type Read = {
  name: string;
  path: (facts: Facts) => string;
  /** Among few posts it finds too few to be compared with a full page. */
  isRareAmongFew?: true;
};
const at = (name: string, path: string): Read => ({ name, path: () => path });
const posts = (name: string, filter: Record<string, string>) => at(name, postsPath(filter));

const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString();

const READS: readonly Read[] = [
  at('now', '/api/admin/now'),
  at('failures of a day', '/api/admin/failures?window=24h'),
  at('failures of a week', '/api/admin/failures?window=7d'),
  at('failures of a month', '/api/admin/failures?window=30d'),
  posts('failures of ours', { owner: 'us' }),
  posts('failures of the network', { owner: 'network' }),
  posts('failures without a known cause', { cause: 'unknown' }),
  posts('any hold', { hold: 'any' }),
  posts('overdue', { overdue: 'true' }),
  posts('stuck', { stuck: 'true' }),
  posts('scheduled since a day', { from: '2026-01-01T00:00:00Z' }),
  {
    name: 'published within two hours',
    path: () => postsPath({ status: 'COMPLETED', from: hoursAgo(12), to: hoursAgo(10) }),
    isRareAmongFew: true,
  },
  {
    name: 'published within thirty days',
    path: () => postsPath({ status: 'COMPLETED', from: hoursAgo(721), to: hoursAgo(1) }),
  },
  {
    name: 'text in the posts of a user',
    path: ({ userId }) => postsPath({ userId, text: 'harbour' }),
  },
  { name: 'users by part of a handle', path: ({ person }) => `/api/admin/users?search=${person}` },
  { name: 'find a handle', path: ({ person }) => `/api/admin/find?q=${person}` },
  { name: 'find a post', path: ({ postId }) => `/api/admin/find?q=${postId}` },
  { name: 'verdict on a user', path: ({ userId }) => `/api/admin/users/${userId}/verdict` },
  at('audit log', '/api/admin/audit?limit=20'),
  { name: 'history of a post', path: ({ postId }) => `/api/admin/audit?entityId=${postId}` },
  at('bulk changes', '/api/admin/bulk-changes'),
];

export async function desk(
  { large, small }: { large: Installation; small: Installation },
  pace: Pace,
): Promise<Row[]> {
  const rows: Row[] = [];
  for (const { name, path, isRareAmongFew } of READS) {
    const { found, all, before } = await interleave(
      {
        found: large.call({ path: path(large.facts) }),
        all: large.call({ path: postsPath({}) }),
        before: small.call({ path: path(small.facts) }),
      },
      pace,
    );
    const against = { name: 'page 1', ...time(all) };
    rows.push({ section: SECTION, name, ours: time(found), against, mark: 'desk' });
    if (!isRareAmongFew) rows.push(growthRow(`desk, ${name}`, found, before, small));
  }
  return rows;
}
