import type { Account } from '@meridian/contract/accounts';
import { entryOf } from '../../audit/entry.ts';
import type { AuditContext } from '../../audit/entry.ts';
import type { Db } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';

export type AccountRow = Account & { did: string };

/** Null when there is no such user. */
export async function findAccount(db: Db, userId: string): Promise<AccountRow | null> {
  return db.maybeOne<AccountRow>(sql`
    select u.did, coalesce(a.state, 'NONE') as state, a.host, a.state_since as since,
      o.refreshed_at as "refreshedAt"
    from users u left join accounts a on a.user_id = u.id left join oauth_sessions o on o.did = u.did
    where u.id = ${userId}`);
}

/** Posts that waited for it are released by the table's trigger. */
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

/** Posts wait from now on. Written to the audit log when an administrator did it. */
export async function disconnectAccount(
  db: Db,
  account: { userId: string; host: string },
  audit: AuditContext | null,
): Promise<void> {
  const changed = sql`
    insert into accounts as a (user_id, host, state)
    values (${account.userId}, ${account.host}, 'RECONNECT')
    on conflict (user_id) do update set state = 'RECONNECT', state_since = now()
      where a.state <> 'RECONNECT'
    returning user_id as id, jsonb_build_object('isConnected', true) as was,
      jsonb_build_object('isConnected', false) as became`;
  await db.execute(audit === null ? changed : sql`with changed as (${changed}) ${entryOf(audit)}`);
}
