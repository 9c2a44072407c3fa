import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { timestamp } from './fields.ts';
import { ACCOUNT_STATES } from './schedule-check.ts';

export const ACCOUNT_MESSAGES = {
  loadFailed: 'Failed to load the account',
  disconnectFailed: 'Failed to disconnect the account',
} as const;

/** The connection to a user's account on the network. It never shows a token. */
const account = z.object({
  state: z.enum(ACCOUNT_STATES),
  host: z.nullable(z.string()),
  /** When it came into this state; of a connected account, connected since. */
  since: z.nullable(timestamp),
  /** When its access was last renewed; null on networks that ask for no renewal. */
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
