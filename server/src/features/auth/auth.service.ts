import type { Admin } from '@meridian/contract/auth';
import type { Database } from '../../db/database.ts';
import type { Actor } from '../../http/actor.ts';
import { AppError } from '../../http/app-error.ts';
import * as store from './auth.store.ts';
import type { HashGate } from './hash-gate.ts';
import type { LoginThrottle } from './login-throttle.ts';
import { hashPassword, isOutdated, unmatchableHash, verifyPassword } from './password-hash.ts';
import { hashToken, newToken } from './session-token.ts';
import { canonicalUsername } from './username.ts';

const MAX_SESSIONS_PER_ADMIN = 10;

export type AuthServiceOptions = {
  db: Database;
  gate: HashGate;
  throttle: LoginThrottle;
  session: store.SessionLimits;
  /** This password is no longer anybody's. */
  onPasswordReplaced(password: string): Promise<void>;
};

export type Credentials = { username: string; password: string };
export type PasswordChange = { currentPassword: string; newPassword: string };
export type AuthService = ReturnType<typeof createAuthService>;

export function createAuthService(options: AuthServiceOptions) {
  const { db, gate, throttle, session } = options;
  // Unknown and disabled names are verified against this, at the same cost as real ones.
  const nobody = unmatchableHash();

  async function verified(credentials: Credentials, username: string | null) {
    const admin = username === null ? null : await store.findAdminByUsername(db, username);
    const hash = admin?.password_hash ?? nobody;
    const matches = await gate.run(() => verifyPassword(credentials.password, hash));
    if (admin === null || !matches) throw new AppError('invalid_credentials');
    return admin;
  }

  async function rehashIfOutdated(admin: store.AdminRow, password: string): Promise<void> {
    if (!isOutdated(admin.password_hash)) return;
    const hash = await gate.run(() => hashPassword(password));
    await store.replacePasswordHash(db, admin.id, admin.password_hash, hash);
  }

  return {
    async login(
      credentials: Credentials,
      address: string,
    ): Promise<{ token: string; admin: Admin }> {
      const username = canonicalUsername(credentials.username);
      const attempt = { username, address };
      await throttle.reserve(attempt);
      const admin = await verified(credentials, username);
      await throttle.succeeded(attempt);
      await rehashIfOutdated(admin, credentials.password);

      const token = newToken();
      await db.transaction(async (tx) => {
        const tokenHash = hashToken(token);
        await store.insertSession(tx, { tokenHash, admin, maxSeconds: session.maxSeconds });
        await store.revokeOldestSessions(tx, admin.id, MAX_SESSIONS_PER_ADMIN);
      });
      return { token, admin: { username: admin.username, displayName: admin.display_name } };
    },

    /** The administrator behind a token; every way for a session to be over ends here. */
    async authenticate(token: string): Promise<Actor> {
      const tokenHash = hashToken(token);
      const row = await store.findSession(db, tokenHash, session);
      if (row === null) throw new AppError('session_ended');
      if (row.is_stale) await store.touchSession(db, tokenHash);
      return {
        adminId: row.admin_id,
        username: row.username,
        displayName: row.display_name,
        tokenHash,
      };
    },

    async changePassword(actor: Actor, change: PasswordChange): Promise<void> {
      await throttle.reservePasswordChange(actor.adminId);
      const admin = await store.findAdminByUsername(db, actor.username);
      if (admin === null) throw new AppError('session_ended');
      const { currentPassword, newPassword } = change;
      const matches = await gate.run(() => verifyPassword(currentPassword, admin.password_hash));
      if (!matches) throw new AppError('wrong_current_password');

      const hash = await gate.run(() => hashPassword(newPassword));
      await db.transaction(async (tx) => {
        const locked = await store.lockAdmin(tx, actor.adminId);
        // Somebody changed it while this one was being hashed: the password given is no longer the current one.
        if (locked?.password_hash !== admin.password_hash) {
          throw new AppError('wrong_current_password');
        }
        await store.changePassword(tx, actor.adminId, hash);
        await store.keepOnlySession(tx, actor.adminId, actor.tokenHash);
      });
      await options.onPasswordReplaced(currentPassword);
    },

    logout: (actor: Actor): Promise<void> => store.revokeSession(db, actor.tokenHash),

    /** Housekeeping, for a timer. */
    async tidyUp(): Promise<void> {
      await store.deleteEndedSessions(db);
      await throttle.deleteOld();
    },
  };
}
