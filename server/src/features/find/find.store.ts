import { FIND_KINDS, FIND_RESULTS_MAX } from '@meridian/contract/find';
import type { FindResult } from '@meridian/contract/find';
import type { Db } from '../../db/database.ts';
import { escapeLike } from '../../db/escape-like.ts';
import { sql } from '../../db/sql.ts';
import type { Sql } from '../../db/sql.ts';
import { NOUNS } from '../nouns.ts';
import { hasPart, indexedPart, isLike, partPattern } from '../users/users.store.ts';

const MOST = sql.whole(FIND_RESULTS_MAX);
/** So many of those with the part are compared; the best of them are shown. */
const COMPARED_MAX = sql.whole(200);

const POST = NOUNS.post.found.select;
const USER = NOUNS.user.found.select;
const TICKET = NOUNS.ticket.found.select;

export async function findById(db: Db, id: string): Promise<FindResult[]> {
  const selects = FIND_KINDS.map((kind) => {
    const { found } = NOUNS[kind];
    return sql`${found.select} where ${found.id} = ${id}`;
  });
  return db.many<FindResult>(sql.join(selects, sql` union all `));
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
