import type { BodyOf, QueryOf } from '@meridian/contract/endpoint';
import type { User, userList, userUpdate } from '@meridian/contract/users';
import type { Author } from '../../audit/author.ts';
import { createWalks } from '../../counts/walks.ts';
import type { Reader } from '../../counts/walks.ts';
import type { Database } from '../../db/database.ts';
import { AppError } from '../../http/app-error.ts';
import { isUuid } from '../../http/uuid.ts';
import * as store from './users.store.ts';

export type UsersService = ReturnType<typeof createUsersService>;

export function createUsersService(db: Database) {
  const walks = createWalks();

  return {
    async list(
      reader: Reader,
      { status, limit, offset }: QueryOf<typeof userList>,
    ): Promise<{ users: User[]; total: number }> {
      const walk = { reader, list: { name: 'users', status } };
      const { rows, total } = await walks.step(walk, offset, (place) =>
        store.listUsers(db, { status, limit, place }),
      );
      return { users: rows, total };
    },

    async get(id: string): Promise<User> {
      return found(isUuid(id) ? await store.findUser(db, id) : null);
    },

    /** Any status may follow any other. Setting what is already set succeeds, so a retry does no harm. */
    async update(
      by: Author,
      id: string,
      { status, is_active }: BodyOf<typeof userUpdate>,
    ): Promise<User> {
      if (!isUuid(id)) throw new AppError('user_not_found');
      const deed = { by, action: 'userUpdate' } as const;
      if (status !== undefined) return found(await store.setStatus(db, id, status, deed));
      if (is_active !== undefined) return found(await store.setActive(db, id, is_active, deed));
      throw new Error('The contract let a change without content pass');
    },

    async restrict(by: Author, id: string, isProhibited: boolean): Promise<User> {
      if (!isUuid(id)) throw new AppError('user_not_found');
      const deed = { by, action: 'userRestrict' } as const;
      return found(await store.setUpgradeProhibited(db, id, isProhibited, deed));
    },
  };
}

function found(user: User | null): User {
  if (user === null) throw new AppError('user_not_found');
  return user;
}
