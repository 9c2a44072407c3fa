import type { BulkSelection, nounOf } from '@meridian/contract/bulk';
import type { ErrorCode } from '@meridian/contract/errors';
import type { Db } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import type { Sql } from '../../db/sql.ts';
import { isUuid } from '../../http/uuid.ts';
import { postFilterCondition } from '../posts/post-filter.ts';
import { findMatches } from '../tickets/ticket-search.store.ts';
import { selectUsers } from '../users/users.store.ts';

/** A table whose rows can be changed in bulk. In its fragments `t` is the row. */
export type Noun = {
  table: Sql;
  /** The word that decides what may be done to a row. */
  state: Sql;
  /** What an administrator knows a row by, the languages of its text, and the joins that takes. */
  example: Sql;
  joins: Sql;
  notFound: ErrorCode;
  /** Selects the `id` of every row that the list's filter matches. */
  matching: (db: Db, selection: BulkSelection) => Promise<Sql>;
};

export const NOUNS: Record<ReturnType<typeof nounOf>, Noun> = {
  posts: {
    table: sql`posts`,
    state: sql`t.status`,
    example: sql`'@' || u.handle || ': ' || left(t.content, 100) as label, t.languages`,
    joins: sql`join users u on u.id = t.user_id`,
    notFound: 'post_not_found',
    matching: async (_, { posts = {} }) =>
      sql`select id from posts where ${postFilterCondition(posts)}`,
  },
  users: {
    table: sql`users`,
    // Both can be set, each by its own action.
    state: sql`t.status || case when t.is_active then '' else ' (inactive)' end`,
    example: sql`'@' || t.handle as label`,
    joins: sql.empty,
    notFound: 'user_not_found',
    matching: async (_, { users = {} }) =>
      sql`select id from users where ${selectUsers(users).condition}`,
  },
  tickets: {
    table: sql`tickets`,
    state: sql`case when t.redemption_count > 0 and t.status = 'UNUSED' then 'ACTIVE'
                    else ticket_status(t.status, t.redemption_deadline) end`,
    example: sql`t.code as label`,
    joins: sql.empty,
    notFound: 'ticket_not_found',
    matching: async (db, { tickets = {} }) => {
      const { status, search = '' } = tickets;
      const found = search === '' ? sql`tickets` : sql`(${await findMatches(db, search)})`;
      return status === undefined
        ? sql`select t.id from ${found} as t`
        : sql`select t.id from ${found} as t
              where ticket_status(t.status, t.redemption_deadline) = ${status}`;
    },
  },
  assignments: {
    table: sql`plan_assignments`,
    state: sql`assignment_status(t.status, t.expires_at)`,
    example: sql`'@' || u.handle || ': ' || p.name as label`,
    joins: sql`join users u on u.id = t.user_id join plans p on p.id = t.plan_id`,
    notFound: 'assignment_not_found',
    // They have no list of their own.
    matching: async () => sql`select id from plan_assignments where false`,
  },
};

/** Selects the `id` of every row of the set as it is at this moment. */
export async function membersOf(db: Db, noun: Noun, selection: BulkSelection): Promise<Sql> {
  const { ids } = selection;
  if (ids === undefined) return noun.matching(db, selection);
  return sql`select id from ${noun.table} where id = any(${ids.filter(isUuid)}::uuid[])`;
}
