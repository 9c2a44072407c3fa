import type { Assignment } from '@meridian/contract/assignments';
import type { Author } from '../../audit/author.ts';
import type { Database } from '../../db/database.ts';
import { AppError } from '../../http/app-error.ts';
import { isUuid } from '../../http/uuid.ts';
import { userExists } from '../users/users.store.ts';
import * as store from './assignments.store.ts';

export function createAssignmentsService(db: Database) {
  async function requireUser(userId: string): Promise<void> {
    if (!isUuid(userId) || !(await userExists(db, userId))) throw new AppError('user_not_found');
  }

  return {
    async listOfUser(userId: string): Promise<Assignment[]> {
      const assignments = isUuid(userId) ? await store.listOfUser(db, userId) : [];
      // Only an empty list leaves the question open whether there is such a user.
      if (assignments.length === 0) await requireUser(userId);
      return assignments;
    },

    async revoke(by: Author, userId: string, id: string): Promise<Assignment> {
      const areIds = isUuid(userId) && isUuid(id);
      const audit = { by, action: 'assignmentRevoke' } as const;
      const revoked = areIds ? await store.revoke(db, id, userId, audit) : null;
      if (revoked !== null) return revoked;
      if (areIds && (await store.assignmentExists(db, id, userId))) {
        throw new AppError('assignment_not_revocable');
      }
      await requireUser(userId);
      throw new AppError('assignment_not_found');
    },
  };
}
