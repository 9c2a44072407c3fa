import { ERRORS } from '@meridian/contract/errors';
import { recordEvent } from '../../audit/entry.ts';
import type { Database } from '../../db/database.ts';
import type { Actor } from '../../http/actor.ts';
import { AppError } from '../../http/app-error.ts';
import { findAdmin, lockAdmin, setPassword } from '../administrators/administrators.store.ts';
import { revokeOtherSessions } from '../sessions/sessions.store.ts';
import type { SignInLimits } from '../sign-in-limits/sign-in-limits.ts';
import { hashPassword, verifyPassword } from './password-hash.ts';
import type { HashGate } from './password-hash.ts';
import { isWeakPassword } from './password-strength.ts';

export type PasswordsOptions = {
  db: Database;
  hashGate: HashGate;
  limits: SignInLimits;
  onPasswordReplaced: (password: string) => Promise<void>;
};

export type PasswordChange = { currentPassword: string; newPassword: string };

const KNOWN = { isKnown: true };

export function createPasswordsService({
  db,
  hashGate,
  limits,
  onPasswordReplaced,
}: PasswordsOptions) {
  async function tryToChange(
    actor: Actor,
    { currentPassword, newPassword }: PasswordChange,
  ): Promise<'changed' | 'wrong' | 'weak'> {
    const { adminId } = actor;
    const admin = await findAdmin(db, actor.username);
    if (admin === null || admin.is_disabled) throw new AppError('session_ended');
    const matches = await hashGate.run(
      () => verifyPassword(currentPassword, admin.password_hash),
      KNOWN,
    );
    if (!matches) return 'wrong';
    if (await isWeakPassword(newPassword, actor)) return 'weak';

    const hash = await hashGate.run(() => hashPassword(newPassword), KNOWN);
    return db.transaction(async (tx) => {
      const locked = await lockAdmin(tx, adminId);
      // Changed by another request while this one was hashing: the given password is outdated.
      if (locked?.password_hash !== admin.password_hash) return 'wrong';
      await setPassword(tx, adminId, hash);
      await revokeOtherSessions(tx, adminId, actor.tokenHash);
      await recordEvent(tx, { by: actor, action: 'authPassword' }, adminId);
      return 'changed';
    });
  }

  return {
    async change(actor: Actor, change: PasswordChange): Promise<void> {
      const { adminId } = actor;
      const reservation = await limits.reservePasswordChange(adminId, () =>
        recordEvent(db, { by: actor, action: 'authThrottled' }, adminId),
      );
      const outcome = await reservation.run(() => tryToChange(actor, change));
      if (outcome === 'weak') throw weakPassword();
      if (outcome === 'wrong') {
        await recordEvent(db, { by: actor, action: 'authPasswordFailed' }, adminId);
        throw new AppError('wrong_current_password');
      }
      await onPasswordReplaced(change.currentPassword);
    },
  };
}

/** Shown at the field it is about. */
function weakPassword(): AppError {
  const { message } = ERRORS.weak_password;
  return new AppError('weak_password', { issues: [{ path: 'newPassword', message }] });
}
