import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { foldCounts } from '../../src/counts/counts.store.ts';
import { sql } from '../../src/db/sql.ts';
import type { Random } from '../../src/demo/random.ts';
import { insertPost, insertUser } from '../fixtures.ts';
import { CROWD, flawsOf, PLAYED, shareBroken, startArena } from './arena.ts';
import type { Arena, Round } from './arena.ts';
import { collide, times } from './collide.ts';

const HOUR = 3_600_000;
const OPERATIONS = 3;

describe(`C25: kept numbers are the numbers there are, ${PLAYED}`, () => {
  let arena: Arena;
  let authors: string[];
  beforeAll(async () => {
    arena = await startArena();
    authors = await Promise.all(Array.from({ length: 6 }, () => insertUser(arena.db)));
  });
  afterAll(() => arena.api.close());

  test('the naive version, which reads a number and writes it back, miscounts', async () => {
    await arena.db.execute(sql`create table naive_count as select 0 as n`);
    await arena.db.execute(sql`create table naive_rows (id serial)`);
    const add = async () => {
      const { n } = await arena.db.one<{ n: number }>(sql`select n from naive_count`);
      await arena.db.execute(sql`update naive_count set n = ${n + 1}`);
      await arena.db.execute(sql`insert into naive_rows default values`);
    };
    const naive: Round = async (random) => {
      const sides = times(CROWD, add);
      await collide(arena.db, sql`select from naive_count for update`, random, sides);
      const row = await arena.db.one<{ line: string; isRight: boolean }>(sql`
        select concat_ws(' instead of ', n, rows) as line, n = rows as "isRight"
        from naive_count, (select count(*) as rows from naive_rows) as counted`);
      return row.isRight ? null : row.line;
    };
    expect(await shareBroken(naive)).toBe(1);
  });

  test('after many changes at once, while they are added up', async () => {
    let operations = 0;
    const change = async (random: Random) => {
      const author = random.pick(authors);
      const at = new Date(Date.UTC(2026, 0, 1) + random.int(0, 5000) * HOUR).toISOString();
      const post = sql`(select id from posts order by md5(id::text || ${random.unit()}) limit 1)`;
      operations += 1;
      await random.pick([
        () => insertPost(arena.db, author, { scheduled_at: at, created_at: at }),
        () => insertPost(arena.db, author, { scheduled_at: at }),
        () =>
          arena.db.execute(sql`
            update posts set status = ${random.pick(['PENDING', 'PROCESSING', 'CANCELLED'])}
            where id = ${post} and status not in ('COMPLETED', 'FAILED')`),
        () => arena.db.execute(sql`delete from posts where id = ${post}`),
      ])();
    };
    const round: Round = async (random) => {
      const sides = times(CROWD, async () => {
        for (let done = 0; done < OPERATIONS; done += 1) await change(random);
      });
      const lock = sql`lock table posts in exclusive mode`;
      const [ends] = await Promise.all([
        collide(arena.db, lock, random, sides),
        ...times(2, () => foldCounts(arena.db)).map((fold) => fold()),
      ]);
      expect(ends.filter(({ status }) => status === 'rejected')).toEqual([]);
      const differences = await arena.db.many(sql`select * from count_differences`);
      return differences.length === 0 ? null : JSON.stringify(differences[0]);
    };
    expect(await flawsOf(round)).toEqual([]);
    expect(operations).toBeGreaterThan(CROWD * OPERATIONS);
  });
});
