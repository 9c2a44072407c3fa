export const PASSWORD_MIN_LENGTH = 8;
export const PASSWORD_MAX_LENGTH = 256;

export const TOKEN_STORAGE_KEY = 'admin_token';

export const AUTH_MESSAGES = {
  usernameRequired: 'Username is required',
  passwordRequired: 'Password is required',
  loginRefused: 'Invalid username or password',
  loginUnreachable: 'Login failed. Please check your credentials.',
  passwordTooLong: `New password must be at most ${PASSWORD_MAX_LENGTH} characters`,
  passwordWrong: 'Current password is incorrect',
  passwordsDiffer: 'New passwords do not match',
  passwordChanged: 'Password changed successfully',
  passwordChangeFailed: 'Password change failed',
} as const;

/** The calls of a session as far as the sign-in needs them: it loads no schema. `auth.ts` adds those. */
export const SESSION_CALLS = {
  login: {
    name: 'authLogin',
    method: 'POST',
    path: '/api/admin/auth/login',
    right: null,
    summary: 'Sign in with a user name and a password',
    credential: 'none',
  },
  me: {
    name: 'authMe',
    method: 'GET',
    path: '/api/admin/auth/me',
    right: 'any',
    summary: 'Who is signed in',
  },
  logout: {
    name: 'authLogout',
    method: 'POST',
    path: '/api/admin/auth/logout',
    right: null,
    summary: 'End this session',
  },
} as const;
