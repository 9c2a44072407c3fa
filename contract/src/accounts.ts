import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { timestamp } from './fields.ts';
import { connection } from './schedule-check.ts';

export const ACCOUNT_MESSAGES = {
  loadFailed: 'Failed to load the account',
  disconnectFailed: 'Failed to disconnect the account',
} as const;

const account = z.extend(connection, {
  /** The last renewal of the access; null on networks that ask for none. */
  refreshedAt: z.nullable(timestamp),
});
export type Account = z.output<typeof account>;
const accountEnvelope = z.object({ account });

export const accountGet = endpoint({
  name: 'accountGet',
  method: 'GET',
  path: '/api/admin/users/{id}/account',
  right: 'users:read',
  summary: 'The connection to the account of a user: state, host, since when',
  answer: accountEnvelope,
});

export const accountDisconnect = endpoint({
  name: 'accountDisconnect',
  method: 'POST',
  path: '/api/admin/users/{id}/account/disconnect',
  right: 'users:write',
  summary: 'Give the access to an account back; posts wait until the user connects it again',
  answer: accountEnvelope,
});
