import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { CipherKey } from 'node:crypto';
import type { MasterKeys } from './master-keys.ts';

/** An encrypted value: a random data key, locked by the master key `keyId`, and what it encrypts. */
export type Envelope = { keyId: string; wrappedKey: Buffer; ciphertext: Buffer };

/** The row that a value belongs to. An envelope copied to another row does not open there. */
export type Owner = { table: string; id: string };

/** The value cannot be opened: its key is not among ours, or it was changed. */
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
    /** Of the key that locks new values. */
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

    /** The same data key, locked by the key that writes. What it encrypts stays as it is. */
    rewrap(owner: Owner, envelope: Omit<Envelope, 'ciphertext'>): Buffer {
      return encrypt(writing.key, unwrap(owner, envelope), owner);
    },
  };
}

/** Nonce, encrypted bytes, tag. */
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
