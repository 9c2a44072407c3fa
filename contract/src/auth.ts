import * as z from 'zod/mini';
import { endpoint, success } from './endpoint.ts';
import { atMost, lengthOf } from './length.ts';
import {
  AUTH_MESSAGES,
  PASSWORD_MAX_LENGTH,
  PASSWORD_MIN_LENGTH,
  SESSION_CALLS,
} from './session-calls.ts';

const USERNAME_MAX_LENGTH = 64;

export const admin = z.object({
  username: z.string(),
  displayName: z.nullable(z.string()),
});
export type Admin = z.output<typeof admin>;

/**
 * By `meridian`, the version of this server, the console knows that there is more than the specified
 * calls. A page sends `eventId` as its first Last-Event-ID, to hear of every change since this response.
 */
export const me = z.extend(admin, { meridian: z.string(), eventId: z.string() });
export type Me = z.output<typeof me>;

/** A password longer than any that can have been set gets the message `refused`. */
function givenPassword(label: string, refused: string) {
  return z
    .string({ error: `${label} is required` })
    .check(z.minLength(1, { error: `${label} is required` }), atMost(PASSWORD_MAX_LENGTH, refused))
    .register(z.globalRegistry, { maxLength: PASSWORD_MAX_LENGTH });
}

export const loginBody = z.strictObject({
  username: z
    .string({ error: AUTH_MESSAGES.usernameRequired })
    .check(
      z.minLength(1, { error: AUTH_MESSAGES.usernameRequired }),
      atMost(USERNAME_MAX_LENGTH, AUTH_MESSAGES.loginRefused),
    )
    .register(z.globalRegistry, { maxLength: USERNAME_MAX_LENGTH }),
  password: givenPassword('Password', AUTH_MESSAGES.loginRefused),
});

export function newPassword(minLength: number) {
  const tooShort = `New password must be at least ${minLength} characters`;
  return z
    .string({ error: tooShort })
    .check(
      z.refine((value) => lengthOf(value) >= minLength, { error: tooShort }),
      atMost(PASSWORD_MAX_LENGTH, AUTH_MESSAGES.passwordTooLong),
    )
    .register(z.globalRegistry, { minLength, maxLength: PASSWORD_MAX_LENGTH });
}

export function passwordBodyOf(minLength: number) {
  return z.strictObject({
    currentPassword: givenPassword('Current password', AUTH_MESSAGES.passwordWrong),
    newPassword: newPassword(minLength),
  });
}

export const passwordBody = passwordBodyOf(PASSWORD_MIN_LENGTH);

export const authLogin = endpoint({
  ...SESSION_CALLS.login,
  body: loginBody,
  answer: z.object({ token: z.string(), admin }),
});

export const authMe = endpoint({
  ...SESSION_CALLS.me,
  answer: me,
});

export const authPassword = endpoint({
  name: 'authPassword',
  method: 'PUT',
  path: '/api/admin/auth/password',
  right: null,
  summary: 'Change the password and end every other session',
  body: passwordBody,
  answer: success,
});

export const authLogout = endpoint({
  ...SESSION_CALLS.logout,
  answer: success,
});
