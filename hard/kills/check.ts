import type { AuditAction } from '@meridian/contract/audit';
import { verifyChain } from '../../server/src/audit/verify.ts';
import type { Db } from '../../server/src/db/database.ts';
import { sql } from '../../server/src/db/sql.ts';
import type { Sql } from '../../server/src/db/sql.ts';
import type { Ledger, Outcome } from './ledger.ts';

/**
 * Holds the database against what the writers were told: acknowledged is there exactly once, refused
 * is not, unknown wholly or not at all. And what the database keeps beside it has to agree.
 */
export async function findLosses(db: Db, ledger: Ledger): Promise<string[]> {
  const { flaws } = await verifyChain(db);
  const differences = await db.many(sql`select * from counter_differences`);
  return [
    ...(await planLosses(db, ledger)),
    ...(await ticketLosses(db, ledger)),
    ...(await postLosses(db, ledger)),
    ...flaws,
    ...differences.map((difference) => JSON.stringify(difference)),
  ];
}

/** Each as `rows parts entries`, so that half a change shows. */
type Found = Map<string, string>;

const WHOLE: Record<Outcome, readonly string[]> = {
  acknowledged: ['whole'],
  refused: ['absent'],
  unknown: ['whole', 'absent'],
};

function losses(kind: string, told: ReadonlyMap<string, Outcome>, found: Found, whole: string) {
  return [...told].flatMap(([name, outcome]) => {
    const line = found.get(name) ?? 'absent';
    const state = line === whole ? 'whole' : line;
    return WHOLE[outcome].includes(state) ? [] : [`${kind} ${name}, ${outcome}: ${state}`];
  });
}

/** Counted in one go: nothing finds the entries of one thing quickly, and there may be many things. */
function entriesOf(action: AuditAction): Sql {
  return sql`select entity_id, count(*) as n from audit_log where action = ${action} group by 1`;
}

async function planLosses(db: Db, ledger: Ledger): Promise<string[]> {
  const rows = await db.many<{ name: string; line: string }>(sql`
    select name, concat_ws(' ', count(*), sum(coalesce(prices.n, 0)), sum(coalesce(entries.n, 0))) as line
    from plans p
    left join (select plan_id, count(*) as n from plan_prices group by 1) as prices on plan_id = p.id
    left join (${entriesOf('planCreate')}) as entries on entity_id = p.id::text
    group by name`);
  const found = new Map(rows.map(({ name, line }) => [name, line]));
  return losses('plan', ledger.plans, found, '1 2 1');
}

async function ticketLosses(db: Db, ledger: Ledger): Promise<string[]> {
  const rows = await db.many<{ memo: string; line: string }>(sql`
    select memo, concat_ws(' ', count(*), sum(coalesce(entries.n, 0))) as line
    from tickets t left join (${entriesOf('ticketIssue')}) as entries on entity_id = t.id::text
    where memo is not null group by memo`);
  const found = new Map(rows.map(({ memo, line }) => [memo, line]));
  return losses('ticket', ledger.tickets, found, '1 1');
}

async function postLosses(db: Db, ledger: Ledger): Promise<string[]> {
  const rows = await db.many<{ id: string; status: string; entries: number }>(sql`
    select p.id, p.status, coalesce(entries.n, 0) as entries
    from posts p left join (${entriesOf('postUpdate')}) as entries on entity_id = p.id::text`);
  const found = new Map(rows.map((row) => [row.id, row]));
  return [...ledger.posts].flatMap(([id, { possible, acknowledged, unknown }]) => {
    const { status = 'absent', entries = 0 } = found.get(id) ?? {};
    const isCounted = entries >= acknowledged && entries <= acknowledged + unknown;
    if (possible.includes(status) && isCounted) return [];
    return [
      `post ${id}: ${status}, expected ${possible.join(' or ')}; ${entries} entries for ${acknowledged} changes and ${unknown} unknown`,
    ];
  });
}
