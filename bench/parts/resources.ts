import type { Row } from '../report/row.ts';
import type { Filled } from '../stand/databases.ts';
import { memoryOf } from '../stand/our-server.ts';
import type { OurServer } from '../stand/our-server.ts';
import { countText } from './response-times.ts';

const SECTION = 'Resources';

export function seeding(databases: readonly Filled[]): Row[] {
  return databases.map(({ posts, users, seconds }) => ({
    section: SECTION,
    name: `seeding ${countText(posts)} posts and ${countText(users)} users`,
    ours: { value: (posts + users) / seconds, unit: '/s' },
    against: null,
    mark: null,
  }));
}

/** Neither builds anything nor fills a database: the second start is the one people wait for. */
export function startUp(ourMs: number, bareMs: number): Row {
  return {
    section: SECTION,
    name: 'start to first answer',
    ours: { value: ourMs, unit: 'ms' },
    against: { name: 'bare Fastify', value: bareMs, unit: 'ms' },
    mark: null,
  };
}

export async function memory({ pid }: OurServer, when: string): Promise<Row[]> {
  const value = await memoryOf(pid);
  if (value === null) return [];
  return [
    {
      section: SECTION,
      name: `memory of the server ${when}`,
      ours: { value, unit: 'MB' },
      against: null,
      mark: null,
    },
  ];
}
