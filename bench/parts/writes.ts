import type { PostStatus } from '@meridian/contract/posts';
import { sql } from '../../server/src/db/sql.ts';
import type { Sql } from '../../server/src/db/sql.ts';
import { threadCpuOf } from '../measure/cpu-time.ts';
import { interleave } from '../measure/interleave.ts';
import type { Pace } from '../measure/interleave.ts';
import { summarise } from '../measure/percentiles.ts';
import type { Row } from '../report/row.ts';
import { SqlConnection } from '../stand/sql-connection.ts';
import type { Installation } from '../stand/stand.ts';
import { time } from './response-times.ts';

const SECTION = 'Change of a status';
const OPEN = ['PENDING', 'PROCESSING'] as const satisfies PostStatus[];

/** Changes that go on for ever: each post of the set in turn, to and fro. */
async function changes(connection: SqlConnection, half: 'even' | 'odd') {
  const rows = await connection.run<{ id: string; status: PostStatus }>(sql`
    select id, status from posts where status = any(${OPEN}) order by id limit 2000`);
  const posts = rows.filter((_, index) => (index % 2 === 0) === (half === 'even'));
  let turn = 0;
  return () => {
    const post = posts[turn % posts.length];
    turn += 1;
    if (post === undefined) throw new Error('The seeded data lacks posts to change');
    post.status = post.status === 'PENDING' ? 'PROCESSING' : 'PENDING';
    return { id: post.id, to: post.status };
  };
}

/** The least that changes a status: what else the product does with it is no cost of the counters. */
function updateOf(wanted: readonly { id: string; to: PostStatus }[]): Sql {
  return sql`update posts set status = wanted.status, updated_at = now()
    from unnest(${wanted.map(({ id }) => id)}::uuid[], ${wanted.map(({ to }) => to)}::text[])
      as wanted (id, status)
    where posts.id = wanted.id and posts.status = any(${OPEN}) returning posts.id, posts.status`;
}

/** Over HTTP, with all that the product does, against that UPDATE; both with the counters. */
export async function changeOverHttp(large: Installation, pace: Pace): Promise<Row[]> {
  const [even, odd] = [await changes(large.sql, 'even'), await changes(large.sql, 'odd')];
  const { ours, bare } = await interleave(
    {
      ours: () => {
        const { id, to } = even();
        return large.call({
          method: 'PATCH',
          path: `/api/admin/posts/${id}`,
          body: { status: to },
        })();
      },
      bare: () => large.sql.run(updateOf([odd()])),
    },
    pace,
  );
  return [
    {
      section: SECTION,
      name: 'over HTTP',
      ours: time(ours),
      against: { name: 'UPDATE', ...time(bare) },
      mark: null,
    },
  ];
}

/** All that an UPDATE of a post meets for the sake of the counters. */
const SWITCH = {
  with: sql`alter table posts enable trigger posts_count_update`,
  without: sql`alter table posts disable trigger posts_count_update`,
};
/** Waiting for the disk hides the work; without the wait it shows. The mark is held against both. */
const DURABILITY = [
  { name: 'with the counters', setting: sql`set synchronous_commit = on` },
  {
    name: 'with the counters, the disk not waited for',
    setting: sql`set synchronous_commit = off`,
  },
];
/** As many as the engine finishes in one statement. */
const BATCH = 200;

/** The same UPDATE with the counters and without, in turns, on a copy that may be spoilt. */
export async function counterOverhead(address: string, pace: Pace): Promise<Row[]> {
  const connection = await SqlConnection.open(address);
  try {
    const rows: Row[] = [];
    for (const { name, setting } of DURABILITY) {
      await connection.run(setting);
      for (const batch of [1, BATCH]) {
        const { times, cpu } = await withAndWithout(connection, batch, pace);
        const what = batch === 1 ? name : `${batch} at once, ${name}`;
        rows.push({ section: SECTION, name: what, mark: 'write', ...times });
        rows.push({ section: SECTION, name: `${what}: CPU of PostgreSQL`, mark: 'write', ...cpu });
      }
    }
    return rows;
  } finally {
    await connection.close();
  }
}

type Compared = Pick<Row, 'ours' | 'against'>;

/** In time, and in CPU of PostgreSQL, which a busy machine changes less. */
async function withAndWithout(
  connection: SqlConnection,
  batch: number,
  pace: Pace,
): Promise<{ times: Compared; cpu: Compared }> {
  const [backend] = await connection.run<{ pid: number }>(sql`select pg_backend_pid() as pid`);
  const pid = backend?.pid ?? 0;
  const sides = {
    with: { next: await changes(connection, 'even'), times: [] as number[], cpu: [] as number[] },
    without: { next: await changes(connection, 'odd'), times: [] as number[], cpu: [] as number[] },
  };
  const until = performance.now() + pace.budgetMs;
  while (performance.now() < until) {
    for (const side of ['with', 'without'] as const) {
      await connection.run(SWITCH[side]);
      const { next, times, cpu } = sides[side];
      // Plans are made anew after the switch, and settle after five runs.
      for (let run = -pace.warmUp; run < pace.perRound; run += 1) {
        const statement = updateOf(Array.from({ length: batch }, next));
        const usedBefore = await threadCpuOf(pid);
        const startedAt = performance.now();
        await connection.run(statement);
        const taken = performance.now() - startedAt;
        if (run < 0) continue;
        times.push(taken);
        cpu.push((await threadCpuOf(pid)) - usedBefore);
      }
    }
  }
  const compared = (what: 'times' | 'cpu'): Compared => ({
    ours: time(summarise(sides.with[what])),
    against: { name: 'without', ...time(summarise(sides.without[what])) },
  });
  return { times: compared('times'), cpu: compared('cpu') };
}
