import type { Db } from '../db/database.ts';
import type { Sql } from '../db/sql.ts';
import { sql } from '../db/sql.ts';
import type { Vault } from './vault.ts';

type SealedTable = { table: string; name: Sql; owner: Sql };

/** Every table with envelopes, and the column that names the owner of one. */
const SEALED_TABLES: readonly SealedTable[] = [
  { table: 'oauth_client_key', name: sql`oauth_client_key`, owner: sql`id::text` },
  { table: 'oauth_sessions', name: sql`oauth_sessions`, owner: sql`did` },
  { table: 'oauth_states', name: sql`oauth_states`, owner: sql`state` },
];

/** The keys that lock anything in the database. */
export async function findKeyIds(db: Db): Promise<string[]> {
  const each = SEALED_TABLES.map(({ name }) => sql`select key_id from ${name}`);
  const rows = await db.many<{ keyId: string }>(
    sql`select key_id as "keyId" from (${sql.join(each, sql` union all `)}) as every group by 1`,
  );
  return rows.map(({ keyId }) => keyId);
}

const BATCH = 500;
type Wrapped = { owner: string; keyId: string; wrappedKey: Buffer };

/**
 * Locks every data key by the key that writes. A row that a session writes meanwhile is left as that
 * wrote it. Returns how many were rewrapped, and the keys that are missing.
 */
export async function rewrapAll(db: Db, vault: Vault) {
  const missing = new Set<string>();
  let rewrapped = 0;
  for (const { table, name, owner } of SEALED_TABLES) {
    for (let after: string | null = ''; after !== null;) {
      const rows: Wrapped[] = await db.many<Wrapped>(sql`
        select ${owner} as owner, key_id as "keyId", wrapped_key as "wrappedKey" from ${name}
        where ${owner} > ${after} and key_id <> ${vault.keyId}
        order by ${owner} limit ${sql.whole(BATCH)}`);
      for (const row of rows) {
        if (!vault.knows(row.keyId)) missing.add(row.keyId);
        else {
          const wrappedKey = vault.rewrap({ table, id: row.owner }, row);
          rewrapped += await db.execute(sql`
            update ${name} set wrapped_key = ${wrappedKey}, key_id = ${vault.keyId}
            where ${owner} = ${row.owner} and wrapped_key = ${row.wrappedKey}`);
        }
      }
      after = rows.at(-1)?.owner ?? null;
    }
  }
  return { rewrapped, missing: [...missing] };
}

/** What no key opens any more. The accounts have to be connected again. */
export async function discardLocked(db: Db, keyIds: readonly string[]): Promise<number> {
  let discarded = 0;
  await db.execute(sql`
    update accounts set state = 'RECONNECT', state_since = now() where state = 'CONNECTED' and user_id in
      (select u.id from users u join oauth_sessions s on s.did = u.did where s.key_id = any(${keyIds}))`);
  for (const { name } of SEALED_TABLES) {
    discarded += await db.execute(sql`delete from ${name} where key_id = any(${keyIds})`);
  }
  return discarded;
}
