import { HOST, record, recordEvent } from '../../audit/audit.store.ts';
import { uuidV7 } from '../../db/columns.ts';
import type { Database } from '../../db/database.ts';
import { isViolation } from '../../db/errors.ts';
import { StartError } from '../../start-error.ts';
import { hashPassword, passwordProblem, verifyPassword } from '../passwords/passwords.ts';
import type { PasswordOwner } from '../passwords/passwords.ts';
import { revokeAllSessions } from '../sessions/sessions.store.ts';
import { clearAttemptsOf } from '../sign-in-limits/sign-in-limits.ts';
import * as store from './administrators.store.ts';
import type { AdminRow } from './administrators.store.ts';
import type { InitialPasswordFile } from './first-administrator.ts';

type AdministratorsOptions = {
  db: Database;
  passwordMinLength: number;
  initialPassword: InitialPasswordFile;
};

export type AdministratorsService = ReturnType<typeof createAdministratorsService>;

export function createAdministratorsService({
  db,
  passwordMinLength,
  initialPassword,
}: AdministratorsOptions) {
  async function requireAcceptable(password: string, owner: PasswordOwner): Promise<void> {
    const problem = await passwordProblem(password, owner, passwordMinLength);
    if (problem !== null) throw new StartError(`${problem}.`);
  }

  async function initialPasswordOf({ password_hash }: AdminRow): Promise<string | null> {
    // The file may belong to another operating system account; then the next start deletes it.
    const password = await initialPassword.read().catch(() => null);
    return password !== null && (await verifyPassword(password, password_hash)) ? password : null;
  }

  return {
    list: () => store.listAdmins(db),

    async find(username: string): Promise<AdminRow> {
      const admin = await store.findAdmin(db, username);
      if (admin === null) throw new StartError(`There is no administrator named ${username}.`);
      return admin;
    },

    async requireUnused(username: string): Promise<void> {
      if ((await store.findAdmin(db, username)) !== null) throw inUse(username);
    },

    async create(owner: PasswordOwner, password: string): Promise<void> {
      await requireAcceptable(password, owner);
      const passwordHash = await hashPassword(password);
      try {
        const id = uuidV7();
        await db.transaction(async (tx) => {
          await store.insertAdmin(tx, { id, ...owner, passwordHash });
          await record(tx, { by: HOST, action: 'adminCreate' }, { id, before: null, after: owner });
        });
      } catch (error) {
        throw isViolation(error, 'admins_username_key') ? inUse(owner.username) : error;
      }
    },

    async resetPassword(admin: AdminRow, password: string): Promise<void> {
      const { id, username, display_name: displayName } = admin;
      await requireAcceptable(password, { username, displayName });
      const passwordHash = await hashPassword(password);
      const replaced = await initialPasswordOf(admin);
      await db.transaction(async (tx) => {
        await store.setPassword(tx, id, passwordHash);
        await revokeAllSessions(tx, id);
        // An administrator who forgot the password has usually been rate limited, too.
        await clearAttemptsOf(tx, admin);
        await recordEvent(tx, { by: HOST, action: 'adminResetPassword' }, id);
      });
      if (replaced !== null) await initialPassword.deleteIf(replaced);
    },

    async unlock(admin: AdminRow): Promise<void> {
      await db.transaction(async (tx) => {
        await clearAttemptsOf(tx, admin);
        await recordEvent(tx, { by: HOST, action: 'adminUnlock' }, admin.id);
      });
    },

    async disable({ id }: AdminRow): Promise<void> {
      await db.transaction(async (tx) => {
        const isChanged = await store.disableAdmin(tx, id);
        await revokeAllSessions(tx, id);
        if (!isChanged) return;
        const change = { id, before: { isDisabled: false }, after: { isDisabled: true } };
        await record(tx, { by: HOST, action: 'adminDisable' }, change);
      });
    },

    async enable({ id }: AdminRow): Promise<void> {
      await db.transaction(async (tx) => {
        if (!(await store.enableAdmin(tx, id))) return;
        const change = { id, before: { isDisabled: true }, after: { isDisabled: false } };
        await record(tx, { by: HOST, action: 'adminEnable' }, change);
      });
    },
  };
}

const inUse = (username: string) =>
  new StartError(
    `There is already an administrator named ${username}; reset-password gives a new password.`,
  );
