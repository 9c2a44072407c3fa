import { USER_STATUSES } from '@meridian/contract/users';
import type { User, UserStatus } from '@meridian/contract/users';
import { entryOf } from '../../audit/audit.store.ts';
import type { AuditContext } from '../../audit/audit.store.ts';
import { postsOfUser, totalOf } from '../../counters/counters.ts';
import { columnNames, columnsOf, jsonObject, patchOf, selectList } from '../../db/columns.ts';
import type { Db } from '../../db/database.ts';
import { escapeLike, isExpected, sql } from '../../db/sql.ts';
import type { ExpectedVersions, Sql } from '../../db/sql.ts';
import { readPage } from '../../db/page.ts';
import type { Keyset, Page, PageRequest } from '../../db/page.ts';

type UserFilter = { status?: UserStatus | undefined; search?: string | undefined };
type UserListRequest = PageRequest & UserFilter;
/** No counter knows the total of a search. */
type UserSelection = { keyset: Keyset; condition: Sql; total: Sql | null };

const SETTABLE = {
  status: 'status',
  is_active: 'is_active',
  upgrade_prohibited: 'upgrade_prohibited',
} as const;
export const TABLE = columnsOf<keyof User>()({
  id: 'id',
  handle: 'handle',
  did: 'did',
  display_name: 'display_name',
  avatar: 'avatar',
  status: 'status',
  is_active: 'is_active',
  has_access_keyword_access: 'has_access_keyword_access',
  upgrade_prohibited: 'upgrade_prohibited',
  version: 'version',
  created_at: 'created_at',
  updated_at: 'updated_at',
});

const COLUMNS = columnNames(TABLE);
const LISTED_COLUMNS = selectList(TABLE, 't');
const STATE = jsonObject(SETTABLE);
const LATEST: Keyset = {
  keys: [
    { column: sql`created_at`, type: 'time' },
    { column: sql`id`, type: 'id' },
  ],
  order: 'desc',
};

export async function listUsers(db: Db, request: UserListRequest): Promise<Page<User>> {
  const { keyset, condition, total } = selectUsers(request);
  const query = { keyset, table: sql`users`, columns: LISTED_COLUMNS };
  if (total !== null) return readPage<User>(db, { ...query, condition, total }, request);
  // Matches are found once, then sorted: in the order of the list, every user would be compared.
  const matches = {
    ctes: sql`with matches as materialized (select created_at, id from users where ${condition})`,
    source: sql`matches`,
    condition: sql`true`,
    total: sql`(select count(*) from matches)`,
  };
  return readPage<User>(db, { ...query, ...matches }, request);
}

export function selectUsers({ status, search }: UserFilter): UserSelection {
  if (search) {
    const isOfStatus = status === undefined ? sql`true` : sql`status = ${status}`;
    const condition = sql`
      (${hasPart(search)} or lower(display_name) like ${partPattern(search)}) and ${isOfStatus}`;
    return { keyset: LATEST, condition, total: null };
  }
  if (status === undefined) {
    return { keyset: LATEST, condition: sql`true`, total: totalOf('users', USER_STATUSES) };
  }
  return {
    keyset: { ...LATEST, lead: { column: sql`status`, value: status } },
    condition: sql`status between ${status} and ${status}`,
    total: totalOf('users', [status]),
  };
}

export async function findUser(db: Db, id: string): Promise<User | null> {
  return db.maybeOne<User>(sql`select ${COLUMNS} from users where id = ${id}`);
}

export async function userExists(db: Db, id: string): Promise<boolean> {
  const row = await db.one<{ found: boolean }>(sql`
    select exists (select from users where id = ${id}) as found`);
  return row.found;
}

export async function countPendingPosts(db: Db, userId: string): Promise<number> {
  const { n } = await db.one<{ n: number }>(sql`select ${postsOfUser(userId, ['PENDING'])} as n`);
  return n;
}

export type UserPatch = { [Field in keyof typeof SETTABLE]?: User[Field] | undefined };

export async function changeUser(
  db: Db,
  id: string,
  patch: UserPatch,
  expected: ExpectedVersions,
  audit: AuditContext,
): Promise<User | null> {
  const { set, isSame } = patchOf(SETTABLE, patch);
  return db.maybeOne<User>(sql`
    with old as (
      select id as key, ${STATE} as was from users
      where id = ${id} and ${isExpected(expected)} for no key update),
    changed as (
      update users set
        ${set},
        version = case when ${isSame} then version else version + 1 end,
        updated_at = case when ${isSame} then updated_at else now() end
      from old where id = key
      returning ${COLUMNS}, was, ${STATE} as became),
    audited as (${entryOf(audit)})
    select ${COLUMNS} from changed`);
}

/** The index finds nothing by fewer than three letters; other letters' small form depends on neighbours. */
const WORTH_ASKING = /^[ -~]*[a-z\d]{3}[ -~]*$/i;

/** So many users have the rest, such as `.bsky.social`, that checking the few who have the piece is quicker. */
export function indexedPart(text: string): string {
  const ofOne = text.slice(Math.max(text.lastIndexOf(':'), 0));
  const dot = ofOne.indexOf('.');
  const piece = dot === -1 ? ofOne : ofOne.slice(0, dot + 1);
  return WORTH_ASKING.test(piece) ? piece : text;
}

export const partPattern = (text: string) => sql`(select lower(${`%${escapeLike(text)}%`}))`;

export function hasPart(text: string): Sql {
  return isLike(partPattern(indexedPart(text)), partPattern(text));
}

/** The index looks up the piece alone: as a test of its value the rest is no condition for it. */
export function isLike(piece: Sql, whole: Sql): Sql {
  return sql`(search_text like ${piece} and (search_text like ${whole}) is true)`;
}
