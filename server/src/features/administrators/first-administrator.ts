import { mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { HOST, record } from '../../audit/audit.store.ts';
import { uuidV7 } from '../../db/columns.ts';
import type { Database } from '../../db/database.ts';
import { LOCKS, sql } from '../../db/sql.ts';
import { orWhen, replaceFile } from '../../objects/local-store.ts';
import { StartError } from '../../start-error.ts';
import {
  generatePassword,
  hashPassword,
  passwordProblem,
  verifyPassword,
} from '../passwords/passwords.ts';
import { findAdmin, hasAdmins, insertAdmin, listPasswordHashes } from './administrators.store.ts';

type FirstAdministratorOptions = {
  db: Database;
  username: string;
  password: string | null;
  passwordMinLength: number;
  file: InitialPasswordFile;
};

export async function ensureFirstAdministrator(
  options: FirstAdministratorOptions,
): Promise<boolean> {
  const { db, username, file } = options;
  // An outdated ADMIN_PASSWORD must not stop a start, so the password is checked later.
  if (await hasAdmins(db)) return false;
  if (options.password !== null) {
    const owner = { username, displayName: null };
    const problem = await passwordProblem(options.password, owner, options.passwordMinLength);
    if (problem !== null) throw new StartError(`ADMIN_PASSWORD cannot be used. ${problem}.`);
  }
  const password = options.password ?? generatePassword();
  const passwordHash = await hashPassword(password);
  return db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(${LOCKS.firstAdmin}::bigint)`);
    if (await hasAdmins(tx)) return false;
    const id = uuidV7();
    await insertAdmin(tx, { id, username, passwordHash });
    // The file is written before the commit: if only the row survived, its password would be lost.
    if (options.password === null) await file.write(password);
    const change = { id, before: null, after: { username, displayName: null } };
    await record(tx, { by: HOST, action: 'adminCreate' }, change);
    return true;
  });
}

/** A password of no administrator is deleted; that of another one may be the only copy. */
export async function isInitialPasswordValid({
  db,
  username,
  file,
}: Pick<FirstAdministratorOptions, 'db' | 'username' | 'file'>): Promise<boolean> {
  const password = await file.read();
  if (password === null) return false;
  const admin = await findAdmin(db, username);
  const isActive = admin?.is_disabled === false;
  if (isActive && (await verifyPassword(password, admin.password_hash))) return true;
  for (const hash of await listPasswordHashes(db)) {
    // A hash that cannot be read may be of this password; then the file stays.
    if (await verifyPassword(password, hash).catch(() => true)) return false;
  }
  await file.deleteIf(password);
  return false;
}

export type InitialPasswordFile = ReturnType<typeof initialPasswordFile>;

export function initialPasswordFile(dataDir: string) {
  const path = join(dataDir, 'initial-admin-password');

  async function read(): Promise<string | null> {
    const text = await orWhen(readFile(path, 'utf8'), ['ENOENT'], null);
    return text?.trimEnd() ?? null;
  }

  return {
    path,
    read,

    /** The password is on disk when this returns: an account whose password is lost must not be created. */
    async write(password: string): Promise<void> {
      await mkdir(dataDir, { recursive: true, mode: 0o700 });
      await replaceFile(path, Buffer.from(`${password}\n`), 0o600);
    },

    async deleteIf(password: string): Promise<void> {
      if ((await read()) === password) await rm(path, { force: true });
    },
  };
}
