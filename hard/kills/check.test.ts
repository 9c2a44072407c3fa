import { beforeAll, expect, test } from 'vitest';
import { HOST } from '../../server/src/audit/audit.store.ts';
import { uuidV7 } from '../../server/src/db/columns.ts';
import { sql } from '../../server/src/db/sql.ts';
import { newTicketCode } from '../../server/src/features/tickets/tickets.service.ts';
import { setUpApp } from '../../server/test/app.ts';
import type { SignedIn } from '../../server/test/app.ts';
import { insertPost, insertUser } from '../../server/test/fixtures.ts';
import { insertCurrency, planBody } from '../../server/test/plan-fixtures.ts';
import { findLosses } from './check.ts';
import { emptyLedger } from './ledger.ts';
import type { Ledger } from './ledger.ts';

/** As many as a long run leaves behind. */
const MANY = 20_000;
const AT_ONCE = 2_000;
/** Beyond what the chain has reached by itself. */
const FIRST_ENTRY = 1_000_000;

const api = setUpApp('server');
let admin: SignedIn;
let entries = 0;

beforeAll(async () => {
  admin = await api.signIn();
  await insertCurrency(api.db, 'usd');
  await insertCurrency(api.db, 'eur');
});

/** Past the chain: to chain thousands takes longer than all the rest. */
async function insertEntries(action: string, entityIds: readonly string[]): Promise<void> {
  const before = FIRST_ENTRY + entries;
  entries += entityIds.length;
  await api.db.transaction(async (tx) => {
    await tx.execute(sql`
      alter table audit_log disable trigger audit_log_chain, disable trigger audit_log_head`);
    await tx.execute(sql`
      insert into audit_log (id, at, actor_name, action, entity, entity_id, previous_hash, hash)
      select ${before}::bigint + place, now(), 'test', ${action}::text, 'test', entity_id,
             ''::bytea, ''::bytea
      from unnest(${entityIds}::text[]) with ordinality as given (entity_id, place)`);
    await tx.execute(sql`
      alter table audit_log enable always trigger audit_log_chain,
        enable always trigger audit_log_head`);
  });
}

/** Returns the ids. */
async function insertTickets(planId: string, memos: readonly string[]): Promise<string[]> {
  const ids = memos.map(() => uuidV7());
  const codes = memos.map(() => newTicketCode());
  await api.db.execute(sql`
    insert into tickets (id, code, plan_id, issuer_id, valid_days, memo)
    select id, code, ${planId}::uuid, ${admin.adminId}::uuid, 30, memo
    from unnest(${ids}::uuid[], ${codes}::text[], ${memos}::text[]) as given (id, code, memo)`);
  return ids;
}

const makePlan = (prices: Record<string, number>) =>
  api.context.plans.create(HOST, planBody({ priceMonthly: prices }));

/** Without the flaw of the chain. */
async function lostOf(ledger: Ledger): Promise<string[]> {
  const found = await findLosses(api.db, ledger);
  return found.filter((line) => /^(plan|ticket|post) /.test(line));
}

test('of many thousand tickets exactly those lost are found, in the time a statement may take', async () => {
  const ledger = emptyLedger();
  const { id: planId } = await makePlan({ usd: 1 });
  for (let made = 0; made < MANY; made += AT_ONCE) {
    const memos = Array.from({ length: AT_ONCE }, (_, index) => `kept ${made + index}`);
    await insertEntries('ticketIssue', await insertTickets(planId, memos));
    for (const memo of memos) ledger.tickets.set(memo, 'acknowledged');
  }
  expect(await lostOf(ledger)).toEqual([]);

  await insertTickets(planId, ['without entry']);
  await insertEntries('ticketIssue', await insertTickets(planId, ['twice', 'twice', 'refused']));
  for (const memo of ['without entry', 'twice', 'nowhere']) {
    ledger.tickets.set(memo, 'acknowledged');
  }
  ledger.tickets.set('refused', 'refused');
  ledger.tickets.set('never heard of', 'unknown');
  expect(await lostOf(ledger)).toEqual([
    'ticket without entry, acknowledged: 1 0',
    'ticket twice, acknowledged: 2 2',
    'ticket nowhere, acknowledged: absent',
    'ticket refused, refused: whole',
  ]);
});

test('a plan is whole with both prices and one entry', async () => {
  const ledger = emptyLedger();
  const whole = await makePlan({ usd: 1, eur: 2 });
  const short = await makePlan({ usd: 1 });
  const doubled = await makePlan({ usd: 1, eur: 2 });
  await insertEntries('planCreate', [doubled.id]);
  for (const { name } of [whole, short, doubled]) ledger.plans.set(name, 'acknowledged');
  expect(await lostOf(ledger)).toEqual([
    `plan ${short.name}, acknowledged: 1 1 1`,
    `plan ${doubled.name}, acknowledged: 1 2 2`,
  ]);
});

test('a post has an entry for every change', async () => {
  const ledger = emptyLedger();
  const user = await insertUser(api.db);
  const changed = await insertPost(api.db, user);
  const silent = await insertPost(api.db, user);
  await insertEntries('postUpdate', [changed, changed]);
  for (const id of [changed, silent]) {
    ledger.posts.set(id, { possible: ['PENDING'], acknowledged: 1, unknown: 1 });
  }
  expect(await lostOf(ledger)).toEqual([
    `post ${silent}: PENDING, expected PENDING; 0 entries for 1 changes and 1 unknown`,
  ]);
});
