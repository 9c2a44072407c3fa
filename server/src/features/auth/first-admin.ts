import { HOST } from '../../audit/author.ts';
import { record } from '../../audit/entry.ts';
import type { Database } from '../../db/database.ts';
import { LOCKS } from '../../db/lock-keys.ts';
import { sql } from '../../db/sql.ts';
import { uuidV7 } from '../../db/uuid-v7.ts';
import { StartError } from '../../start-error.ts';
import { findAdminByUsername, hasAdmins, insertAdmin, listPasswordHashes } from './auth.store.ts';
import { generatePassword } from './generate-password.ts';
import type { InitialPasswordFile } from './initial-password-file.ts';
import { hashPassword, verifyPassword } from './password-hash.ts';
import { passwordProblem } from './password-policy.ts';

export type FirstAdminOptions = {
  db: Database;
  username: string;
  /** Null: generate one and write it to the file. */
  password: string | null;
  passwordMinLength: number;
  file: InitialPasswordFile;
};

/** Makes the first administrator of an empty database; true when this call made it. */
export async function ensureFirstAdmin(options: FirstAdminOptions): Promise<boolean> {
  const { db, username, file } = options;
  // Asked before the password is judged: one that nobody uses any more must not stop a start.
  if (await hasAdmins(db)) return false;
  requireGoodPassword(options);
  const password = options.password ?? generatePassword();
  const passwordHash = await hashPassword(password);
  return db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(${LOCKS.firstAdmin}::bigint)`);
    // Another process may have been first while this one was hashing.
    if (await hasAdmins(tx)) return false;
    const id = uuidV7();
    await insertAdmin(tx, { id, username, passwordHash });
    // Before the commit: nobody could sign in if only the row survived.
    if (options.password === null) await file.write(password);
    const change = { id, before: null, after: { username, displayName: null } };
    await record(tx, { by: HOST, action: 'adminCreate' }, change);
    return true;
  });
}

/**
 * Whether the file holds the password of the administrator of this name. A note that is nobody's
 * password any more goes away; one of another administrator may be the only copy there is.
 */
export async function isInitialPasswordValid(
  options: Pick<FirstAdminOptions, 'db' | 'username' | 'file'>,
): Promise<boolean> {
  const { db, username, file } = options;
  const password = await file.read();
  if (password === null) return false;
  const admin = await findAdminByUsername(db, username);
  if (admin !== null && (await verifyPassword(password, admin.password_hash))) return true;
  if (!(await isAnybodys(password, db))) await file.forget(password);
  return false;
}

async function isAnybodys(password: string, db: Database): Promise<boolean> {
  for (const hash of await listPasswordHashes(db)) {
    // A hash that cannot be checked proves nothing; then the note stays.
    if (await verifyPassword(password, hash).catch(() => true)) return true;
  }
  return false;
}

function requireGoodPassword({ username, password, passwordMinLength }: FirstAdminOptions): void {
  if (password === null) return;
  const problem = passwordProblem(password, { username, displayName: null }, passwordMinLength);
  if (problem !== null) throw new StartError(`ADMIN_PASSWORD cannot be used. ${problem}.`);
}
