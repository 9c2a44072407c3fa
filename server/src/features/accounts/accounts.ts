import { accountDisconnect, accountGet } from '@meridian/contract/accounts';
import type { Account } from '@meridian/contract/accounts';
import type { FastifyInstance } from 'fastify';
import { entryOf } from '../../audit/audit.store.ts';
import type { Author } from '../../audit/audit.store.ts';
import type { Database, Db } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import { AppError } from '../../http/errors.ts';
import { isUuid, register } from '../../http/register.ts';
import type { Connector } from '../../network/network.ts';

export function accountsRoutes(
  app: FastifyInstance,
  { accounts }: { accounts: ReturnType<typeof createAccountsService> },
): void {
  register(app, accountGet, async ({ params }) => ({ account: await accounts.get(params.id) }));

  register(app, accountDisconnect, async ({ actor, params }) => ({
    account: await accounts.disconnect(params.id, actor),
  }));
}

export function createAccountsService(db: Database, connector: Connector | null) {
  async function find(userId: string): Promise<Account & { did: string }> {
    const row = isUuid(userId)
      ? await db.maybeOne<Account & { did: string }>(sql`
          select u.did, coalesce(a.state, 'NONE') as state, a.host, a.state_since as since,
            o.refreshed_at as "refreshedAt"
          from users u left join accounts a on a.user_id = u.id
            left join oauth_sessions o on o.did = u.did
          where u.id = ${userId}`)
      : null;
    if (row === null) throw new AppError('user_not_found');
    return row;
  }

  return {
    get: (userId: string): Promise<Account> => find(userId),

    /** Only an administrator's change is an entry of the audit log; a member has no `by`. */
    async disconnect(userId: string, by: Author | null): Promise<Account> {
      const { did, host } = await find(userId);
      // This comes first, so that no post goes out while the host is being asked.
      await disconnectAccount(db, { userId, host: host ?? 'unknown' }, by);
      await connector?.disconnect(did);
      return find(userId);
    },
  };
}

/** A trigger of the table releases the posts that waited for the account. */
export async function connectAccount(
  db: Db,
  account: { userId: string; host: string },
): Promise<void> {
  await db.execute(sql`
    insert into accounts as a (user_id, host) values (${account.userId}, ${account.host})
    on conflict (user_id) do update set host = excluded.host, state = 'CONNECTED',
      state_since = case when a.state = 'CONNECTED' and a.host = excluded.host
                         then a.state_since else now() end`);
}

async function disconnectAccount(
  db: Db,
  account: { userId: string; host: string },
  by: Author | null,
): Promise<void> {
  const changed = sql`
    insert into accounts as a (user_id, host, state)
    values (${account.userId}, ${account.host}, 'RECONNECT')
    on conflict (user_id) do update set state = 'RECONNECT', state_since = now()
      where a.state <> 'RECONNECT'
    returning user_id as id, jsonb_build_object('isConnected', true) as was,
      jsonb_build_object('isConnected', false) as became`;
  const audited = by && entryOf({ by, action: 'accountDisconnect' });
  await db.execute(audited ? sql`with changed as (${changed}) ${audited}` : changed);
}
