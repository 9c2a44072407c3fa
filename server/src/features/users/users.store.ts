import { USER_STATUSES } from '@meridian/contract/users';
import type { User, UserStatus } from '@meridian/contract/users';
import { entryOf } from '../../audit/entry.ts';
import type { Deed } from '../../audit/entry.ts';
import { countedPage } from '../../counts/counted-page.ts';
import type { CountedPage } from '../../counts/counted-page.ts';
import { isOfStatus } from '../../counts/page-start.ts';
import type { ListOrder, Place } from '../../counts/page-start.ts';
import { totalOf } from '../../counts/totals.ts';
import type { Db } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import type { Sql } from '../../db/sql.ts';
import { escapeLike } from '../../db/escape-like.ts';
import { isExpected } from '../../db/version-condition.ts';
import type { ExpectedVersions } from '../../http/entity-version.ts';

export type UserPage = {
  status: UserStatus | undefined;
  /** Left out or empty: no search. */
  search?: string;
  limit: number;
  place: Place;
};

// The names on the wire are the names of the columns, so a row is the answer.
const COLUMNS = sql`id, did, handle, display_name, avatar, status, is_active,
  has_access_keyword_access, upgrade_prohibited, version, created_at, updated_at`;
/** What can be changed of a user, for the record. */
const STATE = sql`jsonb_build_object(
  'status', status, 'is_active', is_active, 'upgrade_prohibited', upgrade_prohibited)`;
const CREATED = sql`created_at`;
const ID = sql`id`;
const STATUS = sql`status`;

/** The latest first. */
export async function listUsers(db: Db, page: UserPage): Promise<CountedPage<User>> {
  const { status, search = '', place, limit } = page;
  if (search !== '') return searchUsers(db, { ...page, search });
  const axis = 'users.created';
  const statuses = status === undefined ? USER_STATUSES : [status];
  const one = status === undefined ? null : { column: STATUS, status };
  const list: ListOrder = {
    axis,
    column: CREATED,
    by: 'time',
    id: ID,
    order: 'desc',
    statuses,
    one,
  };
  return countedPage<User>(db, {
    list,
    place,
    limit,
    total: totalOf(axis, statuses),
    table: sql`users`,
    alias: sql`users`,
    condition: isOfStatus(list),
    columns: COLUMNS,
  });
}

/** Found by the indexes of handle, DID and display name; the few that match are counted and sorted. */
async function searchUsers(
  db: Db,
  page: UserPage & { search: string },
): Promise<CountedPage<User>> {
  const { status, search, place, limit } = page;
  const pattern = sql`(select lower(${`%${escapeLike(search)}%`}))`;
  const condition = sql`
    (search_text like ${pattern} or lower(display_name) like ${pattern})
    and ${status === undefined ? sql`true` : sql`status = ${status}`}`;
  const statuses = status === undefined ? USER_STATUSES : [status];
  const list: ListOrder = {
    axis: null,
    column: CREATED,
    by: 'time',
    id: ID,
    order: 'desc',
    statuses,
    one: null,
  };
  return countedPage<User>(db, {
    list,
    place,
    limit,
    total: sql`(select count(*) from users where ${condition})`,
    table: sql`users`,
    alias: sql`users`,
    condition,
    columns: COLUMNS,
  });
}

export async function findUser(db: Db, id: string): Promise<User | null> {
  return db.maybeOne<User>(sql`select ${COLUMNS} from users where id = ${id}`);
}

export async function userExists(db: Db, id: string): Promise<boolean> {
  const row = await db.one<{ found: boolean }>(sql`
    select exists (select from users where id = ${id}) as found`);
  return row.found;
}

export async function setStatus(
  db: Db,
  id: string,
  status: UserStatus,
  expected: ExpectedVersions,
  deed: Deed,
): Promise<User | null> {
  return change(db, id, { column: STATUS, value: status }, expected, deed);
}

export async function setActive(
  db: Db,
  id: string,
  isActive: boolean,
  expected: ExpectedVersions,
  deed: Deed,
): Promise<User | null> {
  return change(db, id, { column: sql`is_active`, value: isActive }, expected, deed);
}

export async function setUpgradeProhibited(
  db: Db,
  id: string,
  isProhibited: boolean,
  expected: ExpectedVersions,
  deed: Deed,
): Promise<User | null> {
  return change(db, id, { column: sql`upgrade_prohibited`, value: isProhibited }, expected, deed);
}

/** Null when there is no such user, or not in an expected version. No change, no new version. */
async function change(
  db: Db,
  id: string,
  { column, value }: { column: Sql; value: string | boolean },
  expected: ExpectedVersions,
  deed: Deed,
): Promise<User | null> {
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
    noted as (${entryOf(deed)})
    select ${COLUMNS} from changed`);
}
