import type { Admin } from '@meridian/contract/auth';
import { ERRORS } from '@meridian/contract/errors';
import { recordEvent } from '../../audit/entry.ts';
import type { Database } from '../../db/database.ts';
import type { Actor, SessionActor } from '../../http/actor.ts';
import { AppError } from '../../http/app-error.ts';
import * as store from './auth.store.ts';
import { claimant } from './claimant.ts';
import type { SignIn } from './claimant.ts';
import type { HashGate } from './hash-gate.ts';
import type { LoginThrottle } from './login-throttle.ts';
import { hashPassword, isOutdated, unmatchableHash, verifyPassword } from './password-hash.ts';
import { hashToken, newToken } from './session-token.ts';
import { canonicalUsername } from './username.ts';
import { isWeakPassword } from './weak-password.ts';

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

  async function claimedAdmin({ username }: SignIn): Promise<store.AdminRow | null> {
    return username === null ? null : store.findAdminByUsername(db, username);
  }

  async function noteThrottled(attempt: SignIn): Promise<void> {
    const admin = await claimedAdmin(attempt);
    const deed = { by: claimant(attempt, admin), action: 'authThrottled' } as const;
    await recordEvent(db, deed, admin?.id ?? null);
  }

  async function verified(password: string, attempt: SignIn): Promise<store.AdminRow> {
    const admin = await claimedAdmin(attempt);
    const hash = admin?.password_hash ?? nobody;
    const matches = await gate.run(() => verifyPassword(password, hash));
    if (admin !== null && matches) return admin;
    const deed = { by: claimant(attempt, admin), action: 'authLoginFailed' } as const;
    await recordEvent(db, deed, admin?.id ?? null);
    throw new AppError('invalid_credentials');
  }

  async function rehashIfOutdated(admin: store.AdminRow, password: string): Promise<void> {
    if (!isOutdated(admin.password_hash)) return;
    const hash = await gate.run(() => hashPassword(password));
    await store.replacePasswordHash(db, admin.id, admin.password_hash, hash);
  }

  return {
    async login(
      credentials: Credentials,
      from: Pick<SignIn, 'address' | 'requestId'>,
    ): Promise<{ token: string; admin: Admin }> {
      const username = canonicalUsername(credentials.username);
      const attempt = { username, ...from };
      await throttle.reserve(attempt, () => noteThrottled(attempt));
      const admin = await verified(credentials.password, attempt);
      await throttle.succeeded(attempt);
      await rehashIfOutdated(admin, credentials.password);

      const token = newToken();
      await db.transaction(async (tx) => {
        const tokenHash = hashToken(token);
        await store.insertSession(tx, { tokenHash, admin, maxSeconds: session.maxSeconds });
        await store.revokeOldestSessions(tx, admin.id, MAX_SESSIONS_PER_ADMIN);
        const by = { ...claimant(attempt, admin), adminId: admin.id };
        await recordEvent(tx, { by, action: 'authLogin' }, admin.id);
      });
      return { token, admin: { username: admin.username, displayName: admin.display_name } };
    },

    /** The administrator behind a token; every way for a session to be over ends here. */
    async authenticate(token: string): Promise<SessionActor> {
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
      const { adminId } = actor;
      await throttle.reservePasswordChange(adminId, () =>
        recordEvent(db, { by: actor, action: 'authThrottled' }, adminId),
      );
      const admin = await store.findAdminByUsername(db, actor.username);
      if (admin === null) throw new AppError('session_ended');
      const { currentPassword, newPassword } = change;
      const matches = await gate.run(() => verifyPassword(currentPassword, admin.password_hash));
      if (!matches) throw new AppError('wrong_current_password');
      if (isWeakPassword(newPassword, actor)) throw weakPassword();

      const hash = await gate.run(() => hashPassword(newPassword));
      await db.transaction(async (tx) => {
        const locked = await store.lockAdmin(tx, actor.adminId);
        // Somebody changed it while this one was being hashed: the password given is no longer the current one.
        if (locked?.password_hash !== admin.password_hash) {
          throw new AppError('wrong_current_password');
        }
        await store.changePassword(tx, actor.adminId, hash);
        await store.keepOnlySession(tx, actor.adminId, actor.tokenHash);
        await recordEvent(tx, { by: actor, action: 'authPassword' }, actor.adminId);
      });
      await options.onPasswordReplaced(currentPassword);
    },

    async logout(actor: Actor): Promise<void> {
      await db.transaction(async (tx) => {
        const isRevoked = await store.revokeSession(tx, actor.tokenHash);
        // Another request of the same session was faster.
        if (!isRevoked) return;
        await recordEvent(tx, { by: actor, action: 'authLogout' }, actor.adminId);
      });
    },

    /** Housekeeping, for a timer. */
    async tidyUp(): Promise<void> {
      await store.deleteEndedSessions(db);
      await throttle.deleteOld();
    },
  };
}

/** Shown at the field it is about. */
function weakPassword(): AppError {
  const { message } = ERRORS.weak_password;
  return new AppError('weak_password', { issues: [{ path: 'newPassword', message }] });
}
