import { postUpdate } from '@meridian/contract/posts';
import { ticketIssue } from '@meridian/contract/tickets';
import { userUpdate } from '@meridian/contract/users';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { HOST, recordEvent } from '../../server/src/audit/audit.store.ts';
import { verifyChain } from '../../server/src/audit/verify.ts';
import { Sql, sql } from '../../server/src/db/sql.ts';
import { lockAdmin } from '../../server/src/features/administrators/administrators.store.ts';
import { insertPost, insertUser } from '../../server/test/fixtures.ts';
import { planBody } from '../../server/test/plan-fixtures.ts';
import { PLAYED, flawsOf, shareBroken, startArena } from './arena.ts';
import type { Arena, Round } from './arena.ts';
import { collide, times } from './collide.ts';

const CLIENTS = 8;
/** Ten thousand in the long run. */
const CHANGES_EACH = process.env['RACE_ROUNDS'] === undefined ? 50 : 1250;
const STATUSES = ['PENDING', 'PROCESSING', 'CANCELLED'] as const;

describe(`the record of changes, ${PLAYED}`, () => {
  let arena: Arena;
  beforeAll(async () => {
    arena = await startArena();
  });
  afterAll(() => arena.api.close());

  /** So many entries at the same moment: each has to find its place, and the chain has to hold. */
  const round: Round = async (random) => {
    const { db } = arena;
    const before = (await verifyChain(db)).last.id;
    const write = () => recordEvent(db, { by: HOST, action: 'planPublish' }, null);
    const lock = sql`lock table audit_log in exclusive mode`;
    await collide(db, lock, random, times(CLIENTS, write));
    const { flaws, last } = await verifyChain(db);
    const written = Number(last.id - before);
    return flaws[0] ?? (written === CLIENTS ? null : `${written} of ${CLIENTS} entries`);
  };

  test('loses no entry, however many are written at once', async () => {
    expect(await flawsOf(round)).toEqual([]);
  });

  test('would lose some if the end of the chain were not locked', async () => {
    const { db } = arena;
    const { text } = await db.one<{ text: string }>(sql`
      select pg_get_functiondef('chain_audit_entry'::regproc) as text`);
    const careless = text
      .replace('done := pg_advisory_xact_lock(7261546);', '')
      .replace('audit_head FOR UPDATE;', 'audit_head;')
      .replace('NEW.id := ', 'PERFORM pg_sleep(0.02); NEW.id := ');
    expect(careless).not.toBe(text);
    await db.execute(new Sql([careless], []));
    expect(await shareBroken(round)).toBe(1);
    await db.execute(new Sql([text], []));
  });

  test('has one entry for each change of many clients, in one chain', async () => {
    const { api, db } = arena;
    const { id: planId } = await api.context.plans.create(HOST, planBody());
    const author = await insertUser(db);
    // Few, so that clients meet on the same ones.
    const posts = await Promise.all([1, 2, 3].map(() => insertPost(db, author)));
    const before = (await verifyChain(db)).last.id;
    let changes = 0n;

    const client = async (number: number) => {
      const { token } = await api.signIn();
      const params = { id: await insertUser(db) };
      for (let n = 0; n < CHANGES_EACH; n += 1) {
        const turn = number + n;
        const status = STATUSES[Math.floor(turn / 3) % STATUSES.length] ?? 'PENDING';
        const post = { id: posts[turn % posts.length] ?? '' };
        const calls = [
          () => api.call(postUpdate, { token, params: post, body: { status } }),
          () => api.call(ticketIssue, { token, body: { planId, validDays: 30 } }),
          () => api.call(userUpdate, { token, params, body: { is_active: false } }),
          () => api.call(userUpdate, { token, params, body: { is_active: true } }),
        ];
        const answer = await calls[n % calls.length]?.();
        // A post may have been given the same status by another client.
        expect(n % calls.length === 0 ? [200, 409] : [200, 201]).toContain(answer?.status);
        if (answer?.status !== 409) changes += 1n;
      }
    };
    await Promise.all(Array.from({ length: CLIENTS }, (_, number) => client(number)));

    const { flaws, last } = await verifyChain(db);
    expect([flaws, last.id - before]).toEqual([[], changes]);
    expect(Number(changes)).toBeGreaterThan(CLIENTS * CHANGES_EACH * 0.75);
    // What each found is what the one before left, also where they met.
    const { torn } = await db.one<{ torn: number }>(sql`
      select count(*) as torn from (
        select before -> 'status' as found,
               lag(after -> 'status') over (partition by entity_id order by id) as stood
        from audit_log where action = 'postUpdate') as steps
      where found <> stood`);
    expect(torn).toBe(0);
  });

  // Else the two could wait for each other: the transaction that holds the end of the chain may not wait for a lock.
  test('lets an administrator whose password is being changed issue a ticket', async () => {
    const { api, db, admin, token } = arena;
    const { id: planId } = await api.context.plans.create(HOST, planBody());
    await db.transaction(async (tx) => {
      await lockAdmin(tx, admin.adminId);
      const { status } = await api.call(ticketIssue, { token, body: { planId, validDays: 30 } });
      expect(status).toBe(201);
    });
  });
});
