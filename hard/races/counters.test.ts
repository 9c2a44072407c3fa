import type { Random } from '@meridian/demo/random';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { applyDeltas, findDifferences, recount } from '../../server/src/counters/counters.ts';
import { sql } from '../../server/src/db/sql.ts';
import { insertPost, insertUser } from '../../server/test/fixtures.ts';
import { begun } from '../../server/test/queue-up.ts';
import { CROWD, PLAYED, flawsOf, shareBroken, startArena } from './arena.ts';
import type { Arena, Round } from './arena.ts';
import { collide, times } from './collide.ts';

const HOUR = 3_600_000;
/** Each writer makes so many changes, or more until deltas were applied so often meanwhile. */
const CHANGES = 3;
const APPLIED_AMONG = 3;
/** An end also where no delta is applied. */
const MOST_CHANGES = 60;

describe(`C25: counters equal the rows, ${PLAYED}`, () => {
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

  /** One change of one post, so that it leaves a delta; sometimes it finds nothing to change. */
  const change = async (random: Random) => {
    const author = random.pick(authors);
    const at = new Date(Date.UTC(2026, 0, 1) + random.int(0, 5000) * HOUR).toISOString();
    const post = sql`(select id from posts order by md5(id::text || ${random.unit()}) limit 1)`;
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

  type Progress = { changes: number; isWriting: boolean };
  /** Applies once; returns how many deltas there were. */
  type Apply = (progress: Progress) => Promise<number>;

  /**
   * Writers change posts while others apply deltas, from before the first change until after the last.
   * No writer stops before some deltas were applied, so there is no round without overlap. Two that
   * apply fill the pool, with the crowd, the holder of the lock and the watcher.
   */
  const changeAndApply = async (
    random: Random,
    appliers: readonly Apply[],
  ): Promise<string | null> => {
    // Deltas found from here on were left by the writers.
    while ((await applyDeltas(arena.db)) > 0);
    const progress: Progress = { changes: 0, isWriting: true };
    let appliedAmong = 0;
    const applying = appliers.map((apply) =>
      begun(async () => {
        while (progress.isWriting) {
          const deltas = await apply(progress);
          if (deltas > 0 && progress.isWriting) appliedAmong += 1;
        }
      }),
    );
    const sides = times(CROWD, async () => {
      const mayStop = (done: number) => appliedAmong >= APPLIED_AMONG || done >= MOST_CHANGES;
      for (let done = 0; done < CHANGES || !mayStop(done); done += 1) {
        await change(random);
        progress.changes += 1;
      }
    });
    const lock = sql`lock table posts in exclusive mode`;
    const ends = await collide(arena.db, lock, random, sides).finally(() => {
      progress.isWriting = false;
    });
    await Promise.all(applying);
    expect(ends.filter(({ status }) => status === 'rejected')).toEqual([]);
    expect(appliedAmong).toBeGreaterThanOrEqual(APPLIED_AMONG);
    const differences = await findDifferences(arena.db, 1);
    return differences.length === 0 ? null : JSON.stringify(differences[0]);
  };

  test('the naive application, which deletes deltas it did not apply, loses some', async () => {
    const apply: Apply = (progress) =>
      arena.db.transaction(async (tx) => {
        const deltas = await applyDeltas(tx);
        const seen = progress.changes;
        // Until a writer has changed a post in between.
        while (progress.isWriting && progress.changes === seen) await tx.execute(sql`select 1`);
        await tx.execute(sql`delete from counter_deltas`);
        return deltas;
      });
    const naive: Round = async (random) => {
      const flaw = await changeAndApply(random, [apply]);
      await recount(arena.db);
      return flaw;
    };
    expect(await shareBroken(naive)).toBe(1);
  });

  test('after many changes at once, while deltas are applied', async () => {
    const apply: Apply = () => applyDeltas(arena.db);
    const round: Round = (random) => changeAndApply(random, [apply, apply]);
    expect(await flawsOf(round)).toEqual([]);
  });
});
