import { USER_STATUSES } from '@meridian/contract/users';
import type { User, UserStatus } from '@meridian/contract/users';
import { entryOf } from '../../audit/entry.ts';
import type { AuditContext } from '../../audit/entry.ts';
import { totalOf } from '../../counters/totals.ts';
import type { Db } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import { isExpected } from '../../db/version-condition.ts';
import type { ExpectedVersions } from '../../http/entity-version.ts';
import type { Keyset } from '../../lists/keyset.ts';
import { readPage } from '../../lists/read-page.ts';
import type { Page, PageRequest } from '../../lists/read-page.ts';
import { hasPart, partPattern } from '../posts/indexed-part.ts';

export type UserListRequest = PageRequest & {
  status?: UserStatus | undefined;
  /** Left out or empty: no search. */
  search?: string | undefined;
};

// The names on the wire are the names of the columns, so a row is the answer.
const COLUMNS = sql`id, did, handle, display_name, avatar, status, is_active,
  has_access_keyword_access, upgrade_prohibited, version, created_at, updated_at`;
/** What can be changed of a user, for the audit log. */
const STATE = sql`jsonb_build_object(
  'status', status, 'is_active', is_active, 'upgrade_prohibited', upgrade_prohibited)`;
const STATUS = sql`status`;
const LISTED_COLUMNS = sql`t.id, t.did, t.handle, t.display_name, t.avatar, t.status, t.is_active,
  t.has_access_keyword_access, t.upgrade_prohibited, t.version, t.created_at, t.updated_at`;
const LATEST: Keyset = {
  keys: [
    { column: sql`created_at`, type: 'time' },
    { column: sql`id`, type: 'id' },
  ],
  order: 'desc',
};

/** The latest first. */
export async function listUsers(db: Db, request: UserListRequest): Promise<Page<User>> {
  const { status, search } = request;
  const selection = search ? amongMatches(matching(search, status)) : everyone(status);
  return readPage<User>(db, { ...selection, table: sql`users`, columns: LISTED_COLUMNS }, request);
}

/** Found once, then counted and sorted: in the order of the list, every user would be compared. */
function amongMatches({ keyset, condition }: ReturnType<typeof matching>) {
  return {
    keyset,
    ctes: sql`with matches as materialized (select created_at, id from users where ${condition})`,
    source: sql`matches`,
    condition: sql`true`,
    total: sql`(select count(*) from matches)`,
  };
}

/** Which users a list holds, and in which order. */
export function selectUsers({ status, search }: Pick<UserListRequest, 'status' | 'search'>) {
  return search ? matching(search, status) : everyone(status);
}

/** With a status in the order of the index that begins with it, as in the list of posts. */
function everyone(status: UserStatus | undefined) {
  if (status === undefined) {
    return { keyset: LATEST, condition: sql`true`, total: totalOf('users', USER_STATUSES) };
  }
  return {
    keyset: { ...LATEST, lead: { column: STATUS, value: status } },
    condition: sql`status between ${status} and ${status}`,
    total: totalOf('users', [status]),
  };
}

/** Found by the indexes of handle, DID and display name. */
function matching(search: string, status: UserStatus | undefined) {
  const condition = sql`
    (${hasPart(search)} or lower(display_name) like ${partPattern(search)})
    and ${status === undefined ? sql`true` : sql`status = ${status}`}`;
  return { keyset: LATEST, condition };
}

export async function findUser(db: Db, id: string): Promise<User | null> {
  return db.maybeOne<User>(sql`select ${COLUMNS} from users where id = ${id}`);
}

export async function userExists(db: Db, id: string): Promise<boolean> {
  const row = await db.one<{ found: boolean }>(sql`
    select exists (select from users where id = ${id}) as found`);
  return row.found;
}

/** What an administrator can set, one at a time. */
const SETTABLE = {
  status: STATUS,
  is_active: sql`is_active`,
  upgrade_prohibited: sql`upgrade_prohibited`,
};

export type UserChange<Field extends keyof typeof SETTABLE = keyof typeof SETTABLE> = {
  field: Field;
  value: NonNullable<User[Field]>;
};

/** Null when there is no such user, or not in an expected version. No change, no new version. */
export async function changeUser(
  db: Db,
  id: string,
  { field, value }: UserChange,
  expected: ExpectedVersions,
  audit: AuditContext,
): Promise<User | null> {
  const column = SETTABLE[field];
  return db.maybeOne<User>(sql`
    with old as (
      select id as key, ${STATE} as was from users
      where id = ${id} and ${isExpected(expected)} for no key update),
    changed as (
      update users set
        ${column} = ${value},
        version = case when ${column} = ${value} then version else version + 1 end,
        updated_at = case when ${column} = ${value} then updated_at else now() end
      from old where id = key
      returning ${COLUMNS}, was, ${STATE} as became),
    noted as (${entryOf(audit)})
    select ${COLUMNS} from changed`);
}
