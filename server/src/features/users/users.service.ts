import type { AnswerOf, BodyOf, QueryOf } from '@meridian/contract/endpoint';
import type { User, userList, userUpdate } from '@meridian/contract/users';
import type { Author } from '../../audit/author.ts';
import type { Database } from '../../db/database.ts';
import { AppError } from '../../http/app-error.ts';
import type { ExpectedVersions } from '../../http/entity-version.ts';
import { isUuid } from '../../http/uuid.ts';
import * as store from './users.store.ts';

export function createUsersService(db: Database) {
  async function get(id: string): Promise<User> {
    const user = isUuid(id) ? await store.findUser(db, id) : null;
    if (user === null) throw new AppError('user_not_found');
    return user;
  }

  /** A change that found no row met an unknown user, or one in another version than expected. */
  async function changed(id: string, change: () => Promise<User | null>): Promise<User> {
    const user = isUuid(id) ? await change() : null;
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

    /** Any status may follow any other. Setting what is already set succeeds, so a retry does no harm. */
    update(
      by: Author,
      id: string,
      patch: BodyOf<typeof userUpdate>,
      expected: ExpectedVersions = null,
    ): Promise<User> {
      const audit = { by, action: 'userUpdate' } as const;
      return changed(id, () => store.changeUser(db, id, patch, expected, audit));
    },

    restrict(
      by: Author,
      id: string,
      isProhibited: boolean,
      expected: ExpectedVersions = null,
    ): Promise<User> {
      const audit = { by, action: 'userRestrict' } as const;
      const patch = { upgrade_prohibited: isProhibited };
      return changed(id, () => store.changeUser(db, id, patch, expected, audit));
    },
  };
}
