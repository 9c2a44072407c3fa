import type { BodyOf, QueryOf } from '@meridian/contract/endpoint';
import type { User, userList, userUpdate } from '@meridian/contract/users';
import type { Database } from '../../db/database.ts';
import { AppError } from '../../http/app-error.ts';
import { isUuid } from '../../http/uuid.ts';
import * as store from './users.store.ts';

export type UsersService = ReturnType<typeof createUsersService>;

export function createUsersService(db: Database) {
  return {
    async list(query: QueryOf<typeof userList>): Promise<{ users: User[]; total: number }> {
      const { status, limit, offset } = query;
      const [users, total] = await Promise.all([
        store.listUsers(db, { status, limit, offset }),
        store.countUsers(db, status),
      ]);
      return { users, total };
    },

    async get(id: string): Promise<User> {
      return found(isUuid(id) ? await store.findUser(db, id) : null);
    },

    /** Any status may follow any other. Setting what is already set succeeds, so a retry does no harm. */
    async update(id: string, { status, is_active }: BodyOf<typeof userUpdate>): Promise<User> {
      if (!isUuid(id)) throw new AppError('user_not_found');
      if (status !== undefined) return found(await store.setStatus(db, id, status));
      if (is_active !== undefined) return found(await store.setActive(db, id, is_active));
      throw new Error('The contract let a change without content pass');
    },

    async restrict(id: string, isProhibited: boolean): Promise<User> {
      return found(isUuid(id) ? await store.setUpgradeProhibited(db, id, isProhibited) : null);
    },
  };
}

function found(user: User | null): User {
  if (user === null) throw new AppError('user_not_found');
  return user;
}
