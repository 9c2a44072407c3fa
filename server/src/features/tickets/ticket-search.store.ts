import type { Db } from '../../db/database.ts';
import { escapeLike } from '../../db/escape-like.ts';
import { sql } from '../../db/sql.ts';
import type { Sql } from '../../db/sql.ts';

/** The index holds three letters or digits each and finds nothing by fewer. */
const IS_INDEXED = /[\p{L}\p{N}]{3}/u;
/** What the list sorts, filters and counts by. */
const COLUMNS = sql`t.id, t.issued_at, t.status, t.redemption_deadline`;

/**
 * A query for the tickets whose code, memo, plan or issuer contains the text. Plans and issuers are
 * few and asked first. A name that matches is usually that of many tickets, so all are looked
 * through, the cheap comparisons first; otherwise the few that match are found by the indexes.
 */
export async function findMatches(db: Db, search: string): Promise<Sql> {
  const pattern = sql`(select lower(${`%${escapeLike(search)}%`}))`;
  const { plans, issuers } = await findNames(db, pattern);
  if (plans === NONE && issuers === NONE && IS_INDEXED.test(search)) {
    return sql`
      select ${COLUMNS} from tickets t where lower(t.code) like ${pattern}
      union
      select ${COLUMNS} from tickets t where lower(t.memo) like ${pattern}`;
  }
  return sql`
    select ${COLUMNS} from tickets t
    where t.plan_id = any(${plans}::uuid[]) or t.issuer_id = any(${issuers}::uuid[])
      or lower(t.code) like ${pattern} or lower(t.memo) like ${pattern}`;
}

/** An empty array as the database writes it. */
const NONE = '{}';

/** Ids as arrays in the database's own spelling, to be handed back as they are. */
async function findNames(db: Db, pattern: Sql): Promise<{ plans: string; issuers: string }> {
  return db.one(sql`
    select array(
      select id from plans
      where lower(name) like ${pattern} or lower(display_name ->> 'en') like ${pattern})::text as plans,
    array(
      select id from admins
      where lower(username) like ${pattern} or lower(display_name) like ${pattern})::text as issuers`);
}
