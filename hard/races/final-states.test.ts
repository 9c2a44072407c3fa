import { assignmentRevoke } from '@meridian/contract/assignments';
import { postCancel, postUpdate } from '@meridian/contract/posts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sql } from '../../server/src/db/sql.ts';
import { grantPlan, insertPost, insertUser } from '../../server/test/fixtures.ts';
import { PLAYED, flawsOf, shareBroken, startArena } from './arena.ts';
import type { Arena, Round } from './arena.ts';
import { AS_GIVEN, collide, times } from './collide.ts';

describe(`states that nothing leaves again, ${PLAYED}`, () => {
  let arena: Arena;
  let user: string;
  beforeAll(async () => {
    arena = await startArena();
    user = await insertUser(arena.db);
    for (const statement of [
      sql`create table naive_assignments (like plan_assignments including defaults)`,
      sql`create table naive_posts (like posts including defaults including generated)`,
      // Every change of a row's status, by any client.
      sql`create table steps (row_id uuid, old_status text, new_status text)`,
      sql`create function note_step() returns trigger language plpgsql as $$
        begin
          insert into steps values (new.id, old.status, new.status);
          return null;
        end $$`,
      sql`create trigger steps after update on plan_assignments for each row execute function note_step()`,
      sql`create trigger steps after update on naive_assignments for each row execute function note_step()`,
      sql`create trigger steps after update on posts for each row execute function note_step()`,
      sql`create trigger steps after update on naive_posts for each row execute function note_step()`,
    ]) {
      await arena.db.execute(statement);
    }
  });
  afterAll(() => arena.api.close());

  const stepsOf = async (id: string): Promise<string[]> => {
    const rows = await arena.db.many<{ step: string }>(sql`
      select concat(old_status, ' to ', new_status) as step from steps where row_id = ${id}`);
    return rows.map(({ step }) => step);
  };
  const revoke = (id: string, assignmentId: string) =>
    arena.api.call(assignmentRevoke, { token: arena.token, params: { id, assignmentId } });

  describe('C7: an assignment is revoked once', () => {
    const flaw = async (id: string) => {
      const steps = await stepsOf(id);
      return steps.join() === 'ACTIVE to REVOKED' ? null : steps.join();
    };

    test('the naive version revokes it ten times', async () => {
      const naiveRevoke = async (id: string) => {
        const seen = await arena.db.one<{ status: string }>(sql`
          select status from naive_assignments where id = ${id}`);
        if (seen.status !== 'ACTIVE') return;
        await arena.db.execute(sql`
          update naive_assignments set status = 'REVOKED', revoked_at = now() where id = ${id}`);
      };
      const naive: Round = async (random) => {
        const { assignmentId: id } = await grantPlan(arena.db, user);
        await arena.db.execute(sql`
          insert into naive_assignments select * from plan_assignments where id = ${id}`);
        const lock = sql`select from naive_assignments where id = ${id} for update`;
        const sides = times(10, () => naiveRevoke(id));
        await collide(arena.db, lock, random, sides);
        return flaw(id);
      };
      expect(await shareBroken(naive)).toBe(1);
    });

    test('ten at once: one, and one entry in the record', async () => {
      const round: Round = async (random) => {
        const { assignmentId: id } = await grantPlan(arena.db, user);
        const lock = sql`select from plan_assignments where id = ${id} for update`;
        const sides = times(10, () => revoke(user, id));
        await collide(arena.db, lock, random, sides);
        const { n } = await arena.db.one<{ n: number }>(sql`
          select count(*) as n from audit_log
          where action = 'assignmentRevoke' and entity_id = ${id}`);
        return n === 1 ? flaw(id) : `${n} entries`;
      };
      expect(await flawsOf(round)).toEqual([]);
    });
  });

  describe('C8: an assignment is revoked for the user it belongs to', () => {
    /** Of those who come along with their own id, only the owner is right. */
    const play = async (
      random: Parameters<Round>[0],
      revokeFor: (owner: string, id: string) => Promise<unknown>,
    ) => {
      const strangers = await Promise.all(Array.from({ length: 10 }, () => insertUser(arena.db)));
      const { assignmentId: id } = await grantPlan(arena.db, user);
      // What they look for is locked only for those who find it: begun together must do here.
      await Promise.all(random.shuffled(strangers).map((stranger) => revokeFor(stranger, id)));
      const steps = await stepsOf(id);
      return steps.length === 0 ? null : steps.join();
    };

    test('the naive version does it for a stranger', async () => {
      const naive: Round = (random) =>
        play(random, (_, id) =>
          arena.db.execute(sql`
            update plan_assignments set status = 'REVOKED', revoked_at = now()
            where id = ${id} and status = 'ACTIVE'`),
        );
      expect(await shareBroken(naive)).toBe(1);
    });

    test('ten strangers at once change nothing', async () => {
      expect(await flawsOf((random) => play(random, revoke))).toEqual([]);
    });
  });

  describe('C9: a post that is COMPLETED or FAILED stays so', () => {
    const FINAL = /^(COMPLETED|FAILED) to (?!\1$)/;
    const flaw = async (id: string) => (await stepsOf(id)).find((step) => FINAL.test(step)) ?? null;
    /** What the part does that executes posts. */
    const finish = (id: string, to: string) =>
      arena.db.execute(sql`
        update posts set status = ${to}, executed_at = now()
        where id = ${id} and status = 'PROCESSING'`);

    test('the naive version moves it on', async () => {
      const naiveChange = async (id: string) => {
        const seen = await arena.db.one<{ status: string }>(sql`
          select status from naive_posts where id = ${id}`);
        if (seen.status !== 'PROCESSING') return;
        await arena.db.execute(sql`update naive_posts set status = 'PENDING' where id = ${id}`);
      };
      const naiveFinish = (id: string) =>
        arena.db.execute(sql`update naive_posts set status = 'COMPLETED' where id = ${id}`);
      const naive: Round = async () => {
        const id = await insertPost(arena.db, user, { status: 'PROCESSING' });
        await arena.db.execute(sql`insert into naive_posts select * from posts where id = ${id}`);
        const lock = sql`select from naive_posts where id = ${id} for update`;
        // The order that does the harm; the other one does none.
        const inOrder = { shuffled: <T>(list: readonly T[]) => [...list] };
        await collide(arena.db, lock, inOrder, [() => naiveFinish(id), () => naiveChange(id)]);
        return flaw(id);
      };
      expect(await shareBroken(naive)).toBe(1);
    });

    test.each(['COMPLETED', 'FAILED'])('%s by its executor at the same moment', async (to) => {
      const { token } = arena;
      const ends = new Set<string>();
      let isAdminFirst = false;
      const round: Round = async (random) => {
        const id = await insertPost(arena.db, user, { status: 'PROCESSING' });
        const params = { id };
        const body = { status: 'PENDING' };
        const lock = sql`select from posts where id = ${id} for update`;
        const admin = random.pick([
          () => arena.api.call(postUpdate, { token, params, body }),
          () => arena.api.call(postCancel, { token, params }),
        ]);
        // In turn, so that any two rounds see both orders.
        isAdminFirst = !isAdminFirst;
        const executor = () => finish(id, to);
        const sides = isAdminFirst ? [admin, executor] : [executor, admin];
        await collide(arena.db, lock, AS_GIVEN, sides);
        const { status } = await arena.db.one<{ status: string }>(sql`
          select status from posts where id = ${id}`);
        ends.add(status);
        return flaw(id);
      };
      expect(await flawsOf(round)).toEqual([]);
      expect([...ends]).toContain(to);
      expect(ends.size).toBeGreaterThan(1);
    });
  });
});
