import type { Database } from '../../db/database.ts';
import { LOCKS } from '../../db/lock-keys.ts';
import { sql } from '../../db/sql.ts';
import { uuidV7 } from '../../db/uuid-v7.ts';
import { findAdminByUsername, hasAdmins, insertAdmin } from './auth.store.ts';
import { generatePassword } from './initial-password-file.ts';
import type { InitialPasswordFile } from './initial-password-file.ts';
import { hashPassword, verifyPassword } from './password-hash.ts';

export type FirstAdminOptions = {
  db: Database;
  username: string;
  /** Null: generate one and write it to the file. */
  password: string | null;
  file: InitialPasswordFile;
};

/** Makes the first administrator of an empty database; true when this call made it. */
export async function ensureFirstAdmin(options: FirstAdminOptions): Promise<boolean> {
  const { db, username, file } = options;
  if (await hasAdmins(db)) return false;
  const password = options.password ?? generatePassword();
  const passwordHash = await hashPassword(password);
  return db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(${LOCKS.firstAdmin}::bigint)`);
    // Another process may have been first while this one was hashing.
    if (await hasAdmins(tx)) return false;
    await insertAdmin(tx, { id: uuidV7(), username, passwordHash });
    // Before the commit: nobody could sign in if only the row survived.
    if (options.password === null) await file.write(password);
    return true;
  });
}

/** Whether the file still holds the administrator's password; a note that no longer does goes away. */
export async function isInitialPasswordValid(options: FirstAdminOptions): Promise<boolean> {
  const { db, username, file } = options;
  const password = await file.read();
  if (password === null) return false;
  const admin = await findAdminByUsername(db, username);
  const isValid = admin !== null && (await verifyPassword(password, admin.password_hash));
  if (!isValid) await file.forget(password);
  return isValid;
}
