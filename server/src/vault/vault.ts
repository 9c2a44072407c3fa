import { errorCode } from '@meridian/embedded-postgres/folders';
import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createSecretKey,
  randomBytes,
} from 'node:crypto';
import type { CipherKey, KeyObject } from 'node:crypto';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { Malformed, inSecretFile } from '../config/parsers.ts';
import type { Db } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import { StartError } from '../start-error.ts';

export type Envelope = { keyId: string; wrappedKey: Buffer; ciphertext: Buffer };

/** An envelope that is copied to another row does not open there. */
export type Owner = { table: string; id: string };

export class VaultError extends Error {}

export type Vault = ReturnType<typeof createVault>;

const ALGORITHM = 'aes-256-gcm';
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

export function createVault(keys: MasterKeys) {
  const [writing] = keys;
  const byId = new Map(keys.map(({ id, key }) => [id, key]));

  function unwrap(owner: Owner, { keyId, wrappedKey }: Omit<Envelope, 'ciphertext'>): Buffer {
    const key = byId.get(keyId);
    if (key === undefined) throw new VaultError(`No key ${keyId} to open ${owner.table}`);
    return decrypt(key, wrappedKey, owner);
  }

  return {
    keyId: writing.id,
    knows: (keyId: string) => byId.has(keyId),

    seal(owner: Owner, value: string): Envelope {
      const dataKey = randomBytes(KEY_BYTES);
      return {
        keyId: writing.id,
        wrappedKey: encrypt(writing.key, dataKey, owner),
        ciphertext: encrypt(dataKey, Buffer.from(value), owner),
      };
    },

    open(owner: Owner, envelope: Envelope): string {
      return decrypt(unwrap(owner, envelope), envelope.ciphertext, owner).toString('utf8');
    },

    rewrap(owner: Owner, envelope: Omit<Envelope, 'ciphertext'>): Buffer {
      return encrypt(writing.key, unwrap(owner, envelope), owner);
    },
  };
}

function encrypt(key: CipherKey, bytes: Buffer, owner: Owner): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(ALGORITHM, key, nonce).setAAD(additionalData(owner));
  return Buffer.concat([nonce, cipher.update(bytes), cipher.final(), cipher.getAuthTag()]);
}

function decrypt(key: CipherKey, sealed: Buffer, owner: Owner): Buffer {
  try {
    const nonce = sealed.subarray(0, NONCE_BYTES);
    const decipher = createDecipheriv(ALGORITHM, key, nonce, { authTagLength: TAG_BYTES })
      .setAAD(additionalData(owner))
      .setAuthTag(sealed.subarray(-TAG_BYTES));
    const encrypted = sealed.subarray(NONCE_BYTES, -TAG_BYTES);
    return Buffer.concat([decipher.update(encrypted), decipher.final()]);
  } catch (error) {
    throw new VaultError(`What ${owner.table} holds was changed`, { cause: error });
  }
}

function additionalData({ table, id }: Owner): Buffer {
  return Buffer.from(`${table}\0${id}`);
}

/** `id` stands in every row that the key locks: it is a part of its hash, of no use without it. */
type MasterKey = { id: string; key: KeyObject };
/** The first key locks new values; the others only open older ones. */
export type MasterKeys = readonly [MasterKey, ...MasterKey[]];

const FILE_NAME = 'engine-key';
export const MASTER_KEYS = '32 random bytes in base64, or several such keys in lines';

export function masterKeys(text: string): MasterKeys {
  const [first, ...others] = text.split(/[\s,]+/).map(masterKey);
  if (first === undefined) throw new Malformed(MASTER_KEYS);
  return [first, ...others];
}

function masterKey(text: string): MasterKey {
  const bytes = Buffer.from(text, 'base64');
  if (bytes.length !== KEY_BYTES || bytes.toString('base64') !== text) {
    throw new Malformed(MASTER_KEYS);
  }
  const id = createHash('sha256').update(bytes).digest('hex').slice(0, 16);
  return { id, key: createSecretKey(bytes) };
}

export type KeySource = {
  engineKeys: MasterKeys | null;
  dataDir: string;
  database: { url: string | null };
};

export function readMasterKeys({ engineKeys, dataDir, database }: KeySource): MasterKeys | null {
  if (engineKeys !== null) return engineKeys;
  // Processes on one server do not share this folder, and must not lock each other out.
  if (database.url !== null) {
    throw new StartError(
      'NETWORK=live with DATABASE_URL needs ENGINE_KEY_FILE or ENGINE_KEY: the same key for every process, which encrypts the access to accounts.',
    );
  }
  const path = join(dataDir, FILE_NAME);
  try {
    return inSecretFile(MASTER_KEYS, masterKeys)(path);
  } catch (error) {
    if (!(error instanceof Malformed)) throw error;
    if (errorCode(error.cause) === 'ENOENT') return null;
    throw new StartError(`${path} must be ${error.message}.`, { cause: error });
  }
}

/** The key is on disk when this returns, because nothing opens the values that a lost key has locked. */
export async function makeMasterKey({ dataDir }: KeySource): Promise<string> {
  const path = join(dataDir, FILE_NAME);
  const file = await open(path, 'wx', 0o600);
  try {
    await file.writeFile(`${randomBytes(KEY_BYTES).toString('base64')}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
  return path;
}

const SEALED_TABLES = [
  { table: 'oauth_client_key', name: sql`oauth_client_key`, owner: sql`id::text` },
  { table: 'oauth_sessions', name: sql`oauth_sessions`, owner: sql`did` },
  { table: 'oauth_states', name: sql`oauth_states`, owner: sql`state` },
];

export async function findKeyIds(db: Db): Promise<string[]> {
  const each = SEALED_TABLES.map(({ name }) => sql`select key_id from ${name}`);
  const rows = await db.many<{ keyId: string }>(
    sql`select key_id as "keyId" from (${sql.join(each, sql` union all `)}) as every group by 1`,
  );
  return rows.map(({ keyId }) => keyId);
}

const BATCH = 500;
type Wrapped = { owner: string; keyId: string; wrappedKey: Buffer };

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
