import type { Admin } from '@meridian/contract/auth';
import { ERRORS } from '@meridian/contract/errors';
import type { Author } from '../../audit/author.ts';
import { recordEvent } from '../../audit/entry.ts';
import type { Database } from '../../db/database.ts';
import type { Actor, SessionActor } from '../../http/actor.ts';
import { AppError } from '../../http/app-error.ts';
import * as store from './auth.store.ts';
import type { HashGate } from './hash-gate.ts';
import type { LoginAttempt, LoginThrottle } from './login-throttle.ts';
import { networkOf } from '../../http/client-network.ts';
import { hashPassword, isOutdated, unmatchableHash, verifyPassword } from './password-hash.ts';
import { groupSessionChecks } from './session-checks.ts';
import { hashToken, newToken } from './session-token.ts';
import { deleteOldFailures, recordFailure } from './sign-in-failures.store.ts';
import type { SignInFailure } from './sign-in-failures.store.ts';
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
type SignIn = LoginAttempt & { requestId: string };
export type PasswordChange = { currentPassword: string; newPassword: string };
/** Whose name was given, and who may come in: the same, or nobody. */
type Verdict = { claimed: store.AdminRow | null; admin: store.AdminRow | null };
export type AuthService = ReturnType<typeof createAuthService>;

export function createAuthService(options: AuthServiceOptions) {
  const { db, gate, throttle, session } = options;
  // Unknown and disabled names are verified against this, at the same cost as real ones.
  const nobody = unmatchableHash();
  const findSession = groupSessionChecks((tokenHashes) =>
    store.findSessions(db, tokenHashes, session),
  );

  async function named({ username }: SignIn): Promise<store.NamedAdminRow | null> {
    return username === null ? null : store.findNamedAdmin(db, username);
  }

  async function note(
    action: SignInFailure['action'],
    { address, requestId }: SignIn,
    admin: store.AdminRow | null,
  ): Promise<void> {
    await recordFailure(db, { action, admin, requestId, network: networkOf(address) });
  }

  async function verified(password: string, attempt: SignIn, isKnown: boolean): Promise<Verdict> {
    const claimed = await named(attempt);
    const admin = claimed?.is_disabled === false ? claimed : null;
    const hash = admin?.password_hash ?? nobody;
    const matches = await gate.run(() => verifyPassword(password, hash), { isKnown });
    return { claimed, admin: matches ? admin : null };
  }

  async function rehashIfOutdated(admin: store.AdminRow, password: string): Promise<void> {
    if (!isOutdated(admin.password_hash)) return;
    const hash = await gate.run(() => hashPassword(password), { isKnown: true });
    await store.replacePasswordHash(db, admin.id, admin.password_hash, hash);
  }

  async function refuse(attempt: SignIn, claimed: store.AdminRow | null): Promise<never> {
    await note('authLoginFailed', attempt, claimed);
    throw new AppError('invalid_credentials');
  }

  /** The token; null when the password was changed or the account disabled since it was verified. */
  async function openSession(admin: store.AdminRow, attempt: SignIn): Promise<string | null> {
    const token = newToken();
    const tokenHash = hashToken(token);
    return db.transaction(async (tx) => {
      // Sign-ins of one administrator follow one another: each has to count the session of the other.
      const locked = await store.lockAdmin(tx, admin.id);
      if (locked?.session_epoch !== admin.session_epoch) return null;
      await store.insertSession(tx, { tokenHash, admin, maxSeconds: session.maxSeconds });
      await store.revokeOldestSessions(tx, admin.id, MAX_SESSIONS_PER_ADMIN);
      await recordEvent(tx, { by: signedIn(admin, attempt), action: 'authLogin' }, admin.id);
      return token;
    });
  }

  async function changed(
    actor: Actor,
    { currentPassword, newPassword }: PasswordChange,
  ): Promise<'changed' | 'wrong' | 'weak'> {
    const { adminId } = actor;
    const known = { isKnown: true };
    const admin = await store.findAdminByUsername(db, actor.username);
    if (admin === null) throw new AppError('session_ended');
    const matches = await gate.run(
      () => verifyPassword(currentPassword, admin.password_hash),
      known,
    );
    if (!matches) return 'wrong';
    if (isWeakPassword(newPassword, actor)) return 'weak';

    const hash = await gate.run(() => hashPassword(newPassword), known);
    return db.transaction(async (tx) => {
      const locked = await store.lockAdmin(tx, adminId);
      // Somebody changed it while this one was being hashed: the password given is no longer the current one.
      if (locked?.password_hash !== admin.password_hash) return 'wrong';
      await store.changePassword(tx, adminId, hash);
      await store.keepOnlySession(tx, adminId, actor.tokenHash);
      await recordEvent(tx, { by: actor, action: 'authPassword' }, adminId);
      return 'changed';
    });
  }

  return {
    async login(
      credentials: Credentials,
      from: Pick<SignIn, 'address' | 'requestId'>,
    ): Promise<{ token: string; admin: Admin }> {
      const username = canonicalUsername(credentials.username);
      const attempt = { username, ...from };
      const { isKnown, spend } = await throttle.reserve(attempt, async () =>
        note('authThrottled', attempt, await named(attempt)),
      );
      const { claimed, admin } = await spend(async () => {
        const verdict = await verified(credentials.password, attempt, isKnown);
        if (verdict.admin !== null) await throttle.succeeded(attempt);
        return verdict;
      });
      if (admin === null) return refuse(attempt, claimed);
      await rehashIfOutdated(admin, credentials.password);
      const token = await openSession(admin, attempt);
      if (token === null) return refuse(attempt, admin);
      return { token, admin: { username: admin.username, displayName: admin.display_name } };
    },

    /** The administrator behind a token; every way for a session to be over ends here. */
    async authenticate(token: string): Promise<SessionActor> {
      const tokenHash = hashToken(token);
      const row = await findSession(tokenHash);
      if (row === null) throw new AppError('session_ended');
      if (row.is_stale) await store.touchSession(db, tokenHash, session);
      return {
        adminId: row.admin_id,
        username: row.username,
        displayName: row.display_name,
        tokenHash,
      };
    },

    async changePassword(actor: Actor, change: PasswordChange): Promise<void> {
      const { adminId } = actor;
      const { spend } = await throttle.reservePasswordChange(adminId, () =>
        recordEvent(db, { by: actor, action: 'authThrottled' }, adminId),
      );
      const outcome = await spend(() => changed(actor, change));
      if (outcome === 'weak') throw weakPassword();
      if (outcome === 'wrong') {
        await recordEvent(db, { by: actor, action: 'authPasswordFailed' }, adminId);
        throw new AppError('wrong_current_password');
      }
      await options.onPasswordReplaced(change.currentPassword);
    },

    async logout(actor: Actor): Promise<void> {
      await db.transaction(async (tx) => {
        const isRevoked = await store.revokeSession(tx, actor.tokenHash);
        // Another request of the same session was faster.
        if (!isRevoked) return;
        await recordEvent(tx, { by: actor, action: 'authLogout' }, actor.adminId);
      });
    },

    /** For a start: whoever signed in lately is no stranger to this process either. */
    recallVisitors: (): Promise<void> => throttle.recallVisitors(),

    /** Housekeeping, for timers. */
    async tidySessions(): Promise<void> {
      await store.deleteEndedSessions(db);
    },
    async tidyAttempts(): Promise<void> {
      await throttle.deleteOld();
      await deleteOldFailures(db);
    },
  };
}

/** The administrator as the author of this sign-in. */
function signedIn({ id, username }: store.AdminRow, { address, requestId }: SignIn): Author {
  return { adminId: id, username, requestId, network: networkOf(address) };
}

/** Shown at the field it is about. */
function weakPassword(): AppError {
  const { message } = ERRORS.weak_password;
  return new AppError('weak_password', { issues: [{ path: 'newPassword', message }] });
}
