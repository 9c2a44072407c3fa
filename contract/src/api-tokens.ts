import * as z from 'zod/mini';
import { endpoint, RIGHTS } from './endpoint.ts';
import { id, instant, integer, keysOf, line, timestamp } from './fields.ts';

export const RIGHT_NAMES = keysOf(RIGHTS);

export const API_TOKENS_MAX = 100;
export const MEMBER_TOKENS_MAX = 10;
export const GRACE_MINUTES_MAX = 7 * 24 * 60;
export const TOKEN_DAYS_MAX = 366;
/** Names the member for whom a service acts, by DID. */
export const MEMBER_HEADER = 'Meridian-Member';

const common = {
  id,
  name: z.string(),
  createdAt: timestamp,
  expiresAt: timestamp,
  lastUsedAt: z.nullable(timestamp),
};
const apiToken = z.object({
  ...common,
  /** The token can do what this administrator may do, within its rights. */
  owner: z.string(),
  rights: z.array(z.string()),
  origins: z.array(z.string()),
});
export type ApiToken = z.output<typeof apiToken>;
const memberToken = z.object(common);
export type MemberToken = z.output<typeof memberToken>;

const named = {
  name: line('Name', 80),
  expiresAt: instant('Expiry').register(z.globalRegistry, {
    description: `In the future, at most ${TOKEN_DAYS_MAX} days from now`,
  }),
};
const created = { token: z.string() };
const rotation = z.strictObject({
  /** For so long the old token works beside the new one. */
  graceMinutes: z._default(integer('Grace period', 0, GRACE_MINUTES_MAX), 60),
});

export const apiTokenList = endpoint({
  name: 'apiTokenList',
  method: 'GET',
  path: '/api/admin/api-tokens',
  right: null,
  summary: 'The API tokens of administrators that are live, the newest first',
  answer: z.object({ apiTokens: z.array(apiToken) }),
});

export const apiTokenCreate = endpoint({
  name: 'apiTokenCreate',
  method: 'POST',
  path: '/api/admin/api-tokens',
  right: null,
  summary: 'Create an API token, which is shown this once',
  status: 201,
  body: z.strictObject({
    ...named,
    rights: z.array(z.enum(RIGHT_NAMES)).check(z.minLength(1, { error: 'Choose a right' })),
    origins: z._default(z.array(line('Origin', 300)).check(z.maxLength(10)), []),
  }),
  answer: z.object({ apiToken, ...created }),
});

export const apiTokenRotate = endpoint({
  name: 'apiTokenRotate',
  method: 'POST',
  path: '/api/admin/api-tokens/{id}/rotate',
  right: null,
  summary: 'Replace an API token; the one of before goes on for a while',
  body: rotation,
  answer: z.object({ apiToken, ...created }),
});

export const apiTokenRevoke = endpoint({
  name: 'apiTokenRevoke',
  method: 'POST',
  path: '/api/admin/api-tokens/{id}/revoke',
  right: null,
  summary: 'Stop an API token at once',
  answer: z.object({ apiToken }),
});

export const meTokenList = endpoint({
  name: 'meTokenList',
  method: 'GET',
  path: '/api/me/tokens',
  right: null,
  summary: 'My API tokens, the newest first',
  answer: z.object({ tokens: z.array(memberToken) }),
});

export const meTokenCreate = endpoint({
  name: 'meTokenCreate',
  method: 'POST',
  path: '/api/me/tokens',
  right: null,
  summary: 'Create an API token of my own, which is shown this once',
  status: 201,
  body: z.strictObject(named),
  answer: z.object({ apiToken: memberToken, ...created }),
});

export const meTokenRotate = endpoint({
  name: 'meTokenRotate',
  method: 'POST',
  path: '/api/me/tokens/{id}/rotate',
  right: null,
  summary: 'Replace one of my API tokens; the one of before goes on for a while',
  body: rotation,
  answer: z.object({ apiToken: memberToken, ...created }),
});

export const meTokenRevoke = endpoint({
  name: 'meTokenRevoke',
  method: 'POST',
  path: '/api/me/tokens/{id}/revoke',
  right: null,
  summary: 'Stop one of my API tokens at once',
  answer: z.object({ apiToken: memberToken }),
});
