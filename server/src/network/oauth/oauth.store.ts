import { setTimeout as delay } from 'node:timers/promises';
import type { Db } from '../../db/database.ts';
import { DatabaseUnavailable, isOutage } from '../../db/errors.ts';
import { sql } from '../../db/sql.ts';
import type { Envelope, Vault } from '../../vault/vault.ts';

const ENVELOPE = sql`key_id as "keyId", wrapped_key as "wrappedKey", ciphertext`;
const values = ({ keyId, wrappedKey, ciphertext }: Envelope) =>
  sql`${keyId}, ${wrappedKey}, ${ciphertext}`;

const sessionOf = (did: string) => ({ table: 'oauth_sessions', id: did });
const stateOf = (name: string) => ({ table: 'oauth_states', id: name });
const CLIENT_KEY = { table: 'oauth_client_key', id: '1' };
const findClientKey = sql`select ${ENVELOPE} from oauth_client_key where id = 1`;

/** A token is used up by its refresh: its successor is lost unless it is stored. */
const STORE_ATTEMPTS = 5;
const STORE_RETRY_MS = 1_000;

/** What the OAuth client keeps, as JSON, encrypted. */
export function createOAuthStore(db: Db, vault: Vault) {
  async function saveSession(did: string, json: string): Promise<void> {
    await db.execute(sql`
      insert into oauth_sessions (did, key_id, wrapped_key, ciphertext)
      values (${did}, ${values(vault.seal(sessionOf(did), json))})
      on conflict (did) do update set key_id = excluded.key_id, wrapped_key = excluded.wrapped_key,
        ciphertext = excluded.ciphertext, refreshed_at = now()`);
  }

  return {
    async saveSession(did: string, json: string): Promise<void> {
      for (let attempt = 1; ; attempt += 1) {
        try {
          return await saveSession(did, json);
        } catch (error) {
          const mayPass = error instanceof DatabaseUnavailable || isOutage(error);
          if (!mayPass || attempt === STORE_ATTEMPTS) throw error;
          await delay(STORE_RETRY_MS);
        }
      }
    },

    async findSession(did: string): Promise<string | null> {
      const row = await db.maybeOne<Envelope>(
        sql`select ${ENVELOPE} from oauth_sessions where did = ${did}`,
      );
      return row === null ? null : vault.open(sessionOf(did), row);
    },

    async hasSession(did: string): Promise<boolean> {
      const { found } = await db.one<{ found: boolean }>(
        sql`select exists (select from oauth_sessions where did = ${did}) as found`,
      );
      return found;
    },

    async deleteSession(did: string): Promise<void> {
      await db.execute(sql`delete from oauth_sessions where did = ${did}`);
    },

    async saveState(name: string, json: string): Promise<void> {
      await db.execute(sql`
        with expired as (delete from oauth_states where expires_at < now())
        insert into oauth_states (state, key_id, wrapped_key, ciphertext)
        values (${name}, ${values(vault.seal(stateOf(name), json))})`);
    },

    /** Once: a second browser with the same address is refused. */
    async takeState(name: string): Promise<string | null> {
      const row = await db.maybeOne<Envelope & { isExpired: boolean }>(sql`
        delete from oauth_states where state = ${name}
        returning ${ENVELOPE}, expires_at < now() as "isExpired"`);
      return row === null || row.isExpired ? null : vault.open(stateOf(name), row);
    },

    /** The key of the first process that made one. */
    async clientKey(make: () => Promise<string>): Promise<string> {
      let row = await db.maybeOne<Envelope>(findClientKey);
      if (row === null) {
        await db.execute(sql`
          insert into oauth_client_key (id, key_id, wrapped_key, ciphertext)
          values (1, ${values(vault.seal(CLIENT_KEY, await make()))}) on conflict (id) do nothing`);
        row = await db.maybeOne<Envelope>(findClientKey);
      }
      if (row === null) throw new Error('The key of the OAuth client is not there');
      return vault.open(CLIENT_KEY, row);
    },
  };
}
