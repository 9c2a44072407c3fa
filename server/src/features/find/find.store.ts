import { FIND_RESULTS_MAX } from '@meridian/contract/find';
import type { FindResult } from '@meridian/contract/find';
import type { Db } from '../../db/database.ts';
import { escapeLike } from '../../db/escape-like.ts';
import { sql } from '../../db/sql.ts';
import type { Sql } from '../../db/sql.ts';
import { hasPart, indexedPart, isLike, partPattern } from '../posts/indexed-part.ts';

const TITLE_MAX = sql.whole(100);
const MOST = sql.whole(FIND_RESULTS_MAX);
/** So many of those with the part are compared; the best of them are shown. */
const COMPARED_MAX = sql.whole(200);

const USER = sql`
  select 'user' as kind, u.id, coalesce(nullif(u.display_name, ''), u.handle) as title, '@' || u.handle as detail
  from users u`;
const POST = sql`
  select 'post' as kind, t.id, left(t.content, ${TITLE_MAX}) as title, '@' || u.handle || ' · ' || t.status as detail
  from posts t join users u on u.id = t.user_id`;
const TICKET = sql`
  select 'ticket' as kind, t.id, t.code as title,
    p.name || ' · ' || ticket_status(t.status, t.redemption_deadline) as detail
  from tickets t join plans p on p.id = t.plan_id`;
const PLAN = sql`
  select 'plan' as kind, p.id, coalesce(p.display_name ->> 'en', p.name) as title,
    p.name || ' · ' || p.tier as detail
  from plans p`;

export async function findById(db: Db, id: string): Promise<FindResult[]> {
  return db.many<FindResult>(sql`
    ${POST} where t.id = ${id} union all ${USER} where u.id = ${id}
    union all ${TICKET} where t.id = ${id} union all ${PLAN} where p.id = ${id}`);
}

export async function findTicket(db: Db, code: string): Promise<FindResult[]> {
  return db.many<FindResult>(sql`${TICKET} where t.code = ${code}`);
}

/** By a DID or a whole handle. Handles change hands, so several may claim one. */
export async function findUsers(db: Db, name: string): Promise<FindResult[]> {
  return db.many<FindResult>(sql`${USER} where ${isNamed(name)} limit ${MOST}`);
}

export async function findPosts(db: Db, name: string, rkey: string): Promise<FindResult[]> {
  return db.many<FindResult>(sql`
    ${POST} where ${isNamed(name)} and t.at_rkey = ${rkey} limit ${MOST}`);
}

/** The search text is the handle, a line break and the DID. */
function isNamed(name: string): Sql {
  if (name.startsWith('did:')) return sql`u.did = ${name}`;
  const beginning = sql`lower(${`${escapeLike(indexedPart(name))}%`})`;
  return isLike(beginning, sql`lower(${`${escapeLike(name)}\n%`})`);
}

/** Users with this part in handle, DID or display name; those whose handle begins with it first. */
export async function findPeople(db: Db, part: string): Promise<FindResult[]> {
  return db.many<FindResult>(sql`
    ${USER} where u.id = any(array(
      select id from users where ${hasPart(part)} or lower(display_name) like ${partPattern(part)}
      limit ${COMPARED_MAX}))
    order by u.search_text like lower(${`${escapeLike(part)}%`}) desc, length(u.handle), u.handle
    limit ${MOST}`);
}
