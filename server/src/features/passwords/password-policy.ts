import { newPassword } from '@meridian/contract/auth';
import { ERRORS } from '@meridian/contract/errors';
import { isWeakPassword } from './weak-password.ts';
import type { PasswordOwner } from './weak-password.ts';

/** Why this password cannot be set, in the sentence that the API would answer; null when it can. */
export function passwordProblem(
  password: string,
  owner: PasswordOwner,
  minLength: number,
): string | null {
  const { error } = newPassword(minLength).safeParse(password);
  if (error !== undefined) return error.issues[0]?.message ?? null;
  return isWeakPassword(password, owner) ? ERRORS.weak_password.message : null;
}
