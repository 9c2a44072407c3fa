import type { Db } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';

/** A user name, and the network that a sign-in comes from. */
export type NameAndNetwork = { name: string; network: string };

const isRecent = sql`n.last_login_at > now() - interval '30 days'`;

/** Whether this administrator signed in from this network within the last thirty days. */
export async function isKnownNetwork(db: Db, { name, network }: NameAndNetwork): Promise<boolean> {
  const row = await db.one<{ known: boolean }>(sql`
    select exists (
      select from admin_networks n join admins a on a.id = n.admin_id
      where a.username = ${name} and n.network = ${network} and ${isRecent}) as known`);
  return row.known;
}

/** The most recent sign-ins first. */
export async function listKnownNetworks(db: Db, limit: number): Promise<NameAndNetwork[]> {
  return db.many<NameAndNetwork>(sql`
    select a.username as name, n.network from admin_networks n join admins a on a.id = n.admin_id
    where ${isRecent} order by n.last_login_at desc limit ${limit}`);
}

export async function rememberNetwork(db: Db, { name, network }: NameAndNetwork): Promise<void> {
  await db.execute(sql`
    insert into admin_networks (admin_id, network, last_login_at)
    select id, ${network}, now() from admins where username = ${name}
    on conflict (admin_id, network) do update set last_login_at = now()`);
}
