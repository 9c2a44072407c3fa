import { HOST } from '../../audit/author.ts';
import { record, recordEvent } from '../../audit/entry.ts';
import type { Database } from '../../db/database.ts';
import { isViolation } from '../../db/errors.ts';
import { uuidV7 } from '../../db/uuid-v7.ts';
import { StartError } from '../../start-error.ts';
import * as store from './admins.store.ts';
import { changePassword, insertAdmin } from './auth.store.ts';
import type { InitialPasswordFile } from './initial-password-file.ts';
import { forgetAttempts } from './login-throttle.ts';
import { hashPassword, verifyPassword } from './password-hash.ts';
import { passwordProblem } from './password-policy.ts';
import type { PasswordOwner } from './weak-password.ts';

export type AdminsServiceOptions = {
  db: Database;
  passwordMinLength: number;
  initialPassword: InitialPasswordFile;
};

export type AdminsService = ReturnType<typeof createAdminsService>;

/** What the operator of the host may do to administrators; no call of the API leads here. */
export function createAdminsService(options: AdminsServiceOptions) {
  const { db, initialPassword } = options;

  function requireGood(password: string, owner: PasswordOwner): void {
    const problem = passwordProblem(password, owner, options.passwordMinLength);
    if (problem !== null) throw new StartError(`${problem}.`);
  }

  /** The note beside the data, when it is this administrator's password that it holds. */
  async function notedPassword({ password_hash }: store.AdminAccountRow): Promise<string | null> {
    // Another account of the host may own the note; then its owner tidies up at the next start.
    const noted = await initialPassword.read().catch(() => null);
    return noted !== null && (await verifyPassword(noted, password_hash)) ? noted : null;
  }

  return {
    list: () => store.listAccounts(db),

    async find(username: string): Promise<store.AdminAccountRow> {
      const account = await store.findAccount(db, username);
      if (account === null) throw new StartError(`There is no administrator named ${username}.`);
      return account;
    },

    async requireFree(username: string): Promise<void> {
      if ((await store.findAccount(db, username)) !== null) throw taken(username);
    },

    async create(owner: PasswordOwner, password: string): Promise<void> {
      requireGood(password, owner);
      const passwordHash = await hashPassword(password);
      try {
        const id = uuidV7();
        await db.transaction(async (tx) => {
          await insertAdmin(tx, { id, ...owner, passwordHash });
          const { username, displayName } = owner;
          const change = { id, before: null, after: { username, displayName } };
          await record(tx, { by: HOST, action: 'adminCreate' }, change);
        });
      } catch (error) {
        throw isViolation(error, 'admins_username_key') ? taken(owner.username) : error;
      }
    },

    /** Whoever is signed in with the old password is out with the next request. */
    async resetPassword(account: store.AdminAccountRow, password: string): Promise<void> {
      const { id, username, display_name: displayName } = account;
      requireGood(password, { username, displayName });
      const passwordHash = await hashPassword(password);
      const noted = await notedPassword(account);
      await db.transaction(async (tx) => {
        await changePassword(tx, id, passwordHash);
        await store.revokeAllSessions(tx, id);
        // Who forgot the old password has usually tried it too often.
        await forgetAttempts(tx, account);
        await recordEvent(tx, { by: HOST, action: 'adminResetPassword' }, id);
      });
      if (noted !== null) await initialPassword.forget(noted);
    },

    async unlock(account: store.AdminAccountRow): Promise<void> {
      await db.transaction(async (tx) => {
        await forgetAttempts(tx, account);
        await recordEvent(tx, { by: HOST, action: 'adminUnlock' }, account.id);
      });
    },

    async disable({ id }: store.AdminAccountRow): Promise<void> {
      await db.transaction(async (tx) => {
        const isChanged = await store.disableAccount(tx, id);
        await store.revokeAllSessions(tx, id);
        if (!isChanged) return;
        const change = { id, before: { isDisabled: false }, after: { isDisabled: true } };
        await record(tx, { by: HOST, action: 'adminDisable' }, change);
      });
    },

    async enable({ id }: store.AdminAccountRow): Promise<void> {
      await db.transaction(async (tx) => {
        if (!(await store.enableAccount(tx, id))) return;
        const change = { id, before: { isDisabled: true }, after: { isDisabled: false } };
        await record(tx, { by: HOST, action: 'adminEnable' }, change);
      });
    },
  };
}

function taken(username: string): StartError {
  return new StartError(
    `There is already an administrator named ${username}; reset-password gives a new password.`,
  );
}
