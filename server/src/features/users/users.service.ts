import { BULK_MESSAGES } from '@meridian/contract/bulk';
import type { AnswerOf, BodyOf, QueryOf } from '@meridian/contract/endpoint';
import type { userExport } from '@meridian/contract/exports';
import { userUpdate } from '@meridian/contract/users';
import type { User, userList } from '@meridian/contract/users';
import type { AuditContext, Author } from '../../audit/audit.store.ts';
import { columnNames } from '../../db/columns.ts';
import type { Database } from '../../db/database.ts';
import { orderBy } from '../../db/page.ts';
import { sql } from '../../db/sql.ts';
import type { ExpectedVersions } from '../../db/sql.ts';
import { AppError } from '../../http/errors.ts';
import { isUuid } from '../../http/register.ts';
import { counted, parsed, required } from '../noun.ts';
import type { ExportSource, Noun, Rows } from '../noun.ts';
import * as store from './users.store.ts';

export function createUsersService(db: Database) {
  async function get(id: string): Promise<User> {
    return required(isUuid(id) ? await store.findUser(db, id) : null, 'user_not_found');
  }

  async function change(
    id: string,
    patch: store.UserPatch,
    expected: ExpectedVersions,
    audit: AuditContext,
  ): Promise<User> {
    const user = isUuid(id) ? await store.changeUser(db, id, patch, expected, audit) : null;
    if (user !== null) return user;
    await get(id);
    throw new AppError('user_changed_elsewhere');
  }

  return {
    async list(query: QueryOf<typeof userList>): Promise<AnswerOf<typeof userList>> {
      const { rows, ...page } = await store.listUsers(db, query);
      return { users: rows, ...page };
    },

    get,

    update: (
      by: Author,
      id: string,
      patch: BodyOf<typeof userUpdate>,
      expected: ExpectedVersions = null,
    ) => change(id, patch, expected, { by, action: 'userUpdate' }),

    restrict: (by: Author, id: string, upgrade_prohibited: boolean, expected: ExpectedVersions) =>
      change(id, { upgrade_prohibited }, expected, { by, action: 'userRestrict' }),
  };
}

const ROWS: Rows = {
  table: sql`users`,
  state: sql`t.status || case when t.is_active then '' else ' (inactive)' end`,
  example: sql`'@' || t.handle as label`,
  joins: sql.empty,
  notFound: 'user_not_found',
  matching: async (_, { users = {} }) =>
    sql`select id from users where ${store.selectUsers(users).condition}`,
};
const MANY = {
  rows: ROWS,
  batch: 100,
  state: ROWS.state,
  weight: sql`(select coalesce(sum(c.pending), 0) from user_post_counters c where c.user_id = t.id)`,
};
const { avatar: _, version: __, ...FILE } = store.TABLE;

export const userNoun = {
  topics: ['users'],
  reversal: {
    read: (db, id) => createUsersService(db).get(id),
    async write(db, by, { id, version }, { upgrade_prohibited, ...body }) {
      const service = createUsersService(db);
      if (typeof upgrade_prohibited === 'boolean') {
        return service.restrict(by, id, upgrade_prohibited, [version]);
      }
      return service.update(by, id, parsed(userUpdate.body, body), [version]);
    },
  },
  consequences: {
    userBlock: async (db, id) => [heldPosts(await store.countPendingPosts(db, id))],
  },
  found: {
    select: sql`
      select 'user' as kind, u.id, coalesce(nullif(u.display_name, ''), u.handle) as title, '@' || u.handle as detail
      from users u`,
    id: sql`u.id`,
  },
  file: fileOf,
  many: {
    userStatus: {
      ...MANY,
      was: sql`jsonb_build_object('status', t.status)`,
      refusal: (state, value) => (statusOf(state) === value ? BULK_MESSAGES.unchanged : null),
      change: (ids, value) => sql`
        update users set status = ${value}, version = version + 1, updated_at = now()
        where id = any(${ids}::uuid[])`,
      sentences: ({ count, value, weight }) => [
        `${counted(count, 'user', 'users')} will be set to ${value}.`,
        value === 'BLOCKED' || value === 'SUSPENDED' ? heldPosts(weight) : null,
      ],
    },
    userActive: {
      ...MANY,
      was: sql`jsonb_build_object('is_active', t.is_active)`,
      refusal: (state, value) =>
        isInactive(state) === (value === 'false') ? BULK_MESSAGES.unchanged : null,
      change: (ids, value) => sql`
        update users set is_active = ${value === 'true'}, version = version + 1, updated_at = now()
        where id = any(${ids}::uuid[])`,
      sentences: ({ count, value, weight }) => [
        `${counted(count, 'user', 'users')} will be ${value === 'true' ? 'activated' : 'deactivated'}.`,
        value === 'false' ? heldPosts(weight) : null,
      ],
    },
  },
} satisfies Noun;

function fileOf(filter: Omit<QueryOf<typeof userExport>, 'format'>): ExportSource {
  const { keyset, condition } = store.selectUsers(filter);
  return () => sql`
    select ${columnNames(FILE)} from users where ${condition} order by ${orderBy(keyset)}`;
}

function isInactive(state: string): boolean {
  return state.endsWith(' (inactive)');
}

function statusOf(state: string): string {
  return state.replace(' (inactive)', '');
}

function heldPosts(count: number): string {
  return count === 0
    ? 'No scheduled posts are concerned.'
    : `${counted(count, 'scheduled post', 'scheduled posts')} will not be published meanwhile.`;
}
