import { createHash, createSecretKey, randomBytes } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode } from '@meridian/embedded-postgres/errors';
import { inSecretFile } from '../config/secret-file.ts';
import { Malformed } from '../config/variable.ts';
import { StartError } from '../start-error.ts';

/** `id` names the key in every row that it locks: a part of its hash, of no use without it. */
export type MasterKey = { id: string; key: KeyObject };
/** The first one writes; the others only read what earlier ones wrote. */
export type MasterKeys = readonly [MasterKey, ...MasterKey[]];

const KEY_BYTES = 32;
const FILE_NAME = 'engine-key';
export const MASTER_KEYS = '32 random bytes in base64, or several such keys in lines';

/** Keys in lines, or separated by commas. */
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
  /** From ENGINE_KEY or ENGINE_KEY_FILE. */
  engineKeys: MasterKeys | null;
  dataDir: string;
  database: { url: string | null };
};

/** The keys that are set, else those of the file in DATA_DIR. */
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

/** On disk when this returns: what a lost key has locked cannot be opened again. */
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
