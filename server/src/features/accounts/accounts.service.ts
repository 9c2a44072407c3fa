import type { Account } from '@meridian/contract/accounts';
import type { Author } from '../../audit/author.ts';
import type { Database } from '../../db/database.ts';
import { AppError } from '../../http/app-error.ts';
import { isUuid } from '../../http/uuid.ts';
import type { Connector } from '../../network/connector.ts';
import * as store from './accounts.store.ts';
import type { AccountRow } from './accounts.store.ts';

/** Shown where no host is known. */
const UNKNOWN_HOST = 'unknown';

export function createAccountsService(db: Database, connector: Connector | null) {
  async function find(userId: string): Promise<AccountRow> {
    const row = isUuid(userId) ? await store.findAccount(db, userId) : null;
    if (row === null) throw new AppError('user_not_found');
    return row;
  }

  return {
    get: (userId: string): Promise<Account> => find(userId),

    /** By the person, or by an administrator, which is an entry of the audit log. */
    async disconnect(userId: string, by: Author | null): Promise<Account> {
      const { did, host } = await find(userId);
      // First, so that no post goes out while the host is being asked.
      const audit = by === null ? null : ({ by, action: 'accountDisconnect' } as const);
      await store.disconnectAccount(db, { userId, host: host ?? UNKNOWN_HOST }, audit);
      await connector?.disconnect(did);
      return find(userId);
    },
  };
}
