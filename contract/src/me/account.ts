import * as z from 'zod/mini';
import { endpoint, success } from '../endpoint.ts';
import { count, flag, id, line, timestamp } from '../fields.ts';
import { planLimits } from '../plan-limits.ts';

export const MEMBER_COOKIE = '__Host-member';

export const HANDLE_MAX_LENGTH = 253;
export const KEYWORD_MAX_LENGTH = 64;

const me = z.object({
  user: z.object({
    id,
    did: z.string(),
    handle: z.string(),
    displayName: z.nullable(z.string()),
    avatar: z.nullable(z.string()),
    status: z.string(),
  }),
  account: z.object({
    /** CONNECTED, RECONNECT, DEACTIVATED, TAKEN_DOWN or GONE. */
    state: z.string(),
    host: z.nullable(z.string()),
    since: z.nullable(timestamp),
  }),
  plan: z.object({
    name: z.nullable(z.string()),
    tier: z.nullable(z.string()),
    expiresAt: z.nullable(timestamp),
  }),
  limits: planLimits,
  usage: z.object({
    postsThisMonth: count,
    monthEndsAt: timestamp,
    pendingPosts: count,
    storageBytes: count,
  }),
  service: z.object({
    isSuspended: z.boolean(),
    notice: z.nullable(z.string()),
    isClosedBeta: z.boolean(),
  }),
  /** `sentence` says why the member may not schedule. */
  schedule: z.object({ isAllowed: z.boolean(), sentence: z.nullable(z.string()) }),
});
export type Me = z.output<typeof me>;

export const RETURN_TO_MAX_LENGTH = 2000;

export const meSignIn = endpoint({
  name: 'meSignIn',
  method: 'POST',
  path: '/api/me/sign-in',
  right: 'members',
  summary: 'Begin to sign in with a Bluesky account: where the browser goes next',
  credential: 'none',
  body: z.strictObject({
    handle: line('Handle', HANDLE_MAX_LENGTH),
    keyword: z.optional(line('Access keyword', KEYWORD_MAX_LENGTH)),
    returnTo: z.optional(line('Return address', RETURN_TO_MAX_LENGTH)).register(z.globalRegistry, {
      description:
        'Needed with an API token: the page at an origin of the token to which the browser comes back, with code or error',
    }),
  }),
  answer: z.object({
    redirectTo: z.string(),
    /** With `returnTo`: keep it with the browser's session, and send it with the code. */
    signInId: z.optional(z.string()),
  }),
});

export const meSignInResult = endpoint({
  name: 'meSignInResult',
  method: 'POST',
  path: '/api/me/sign-in/result',
  right: 'members',
  summary: 'Who came back from a sign-in of an API token, once',
  credential: 'none',
  body: z.strictObject({
    /** The id that the sign-in gave to this browser's session: another browser's code opens nothing. */
    signInId: line('Sign-in', 100),
    code: line('Code', 100),
  }),
  answer: z.object({ did: z.string(), handle: z.string() }),
});

export const meSignOut = endpoint({
  name: 'meSignOut',
  method: 'POST',
  path: '/api/me/sign-out',
  right: null,
  summary: 'End this session',
  answer: success,
});

export const meGet = endpoint({
  name: 'meGet',
  method: 'GET',
  path: '/api/me',
  right: 'members',
  summary: 'The signed-in person: account, plan, limits in force, usage, state of the service',
  answer: me,
});

export const meDisconnect = endpoint({
  name: 'meDisconnect',
  method: 'POST',
  path: '/api/me/disconnect',
  right: 'members',
  summary: 'Give the access to the account back; posts wait until it is connected again',
  answer: z.object({ account: me.shape.account }),
});

export const meExport = endpoint({
  name: 'meExport',
  method: 'GET',
  path: '/api/me/export',
  right: 'members',
  summary: 'Everything the service has about the person, as one JSON file',
  media: 'export',
  answer: z.unknown(),
});

export const meDelete = endpoint({
  name: 'meDelete',
  method: 'POST',
  path: '/api/me/delete',
  right: 'members',
  summary: 'Delete the person with all posts and pictures; what was published stays on the network',
  body: z.strictObject({
    handle: line('Handle', HANDLE_MAX_LENGTH),
    isSure: flag('isSure'),
  }),
  answer: success,
});

export const meTicketRedeem = endpoint({
  name: 'meTicketRedeem',
  method: 'POST',
  path: '/api/me/tickets/redeem',
  right: 'members',
  summary: 'Redeem a ticket: its plan holds at once',
  body: z.strictObject({ code: line('Code', 64) }),
  answer: z.object({
    plan: z.object({ name: z.string(), tier: z.string(), expiresAt: z.nullable(timestamp) }),
    /** A sentence about the plan that held before; null where there was none. */
    earlier: z.nullable(z.string()),
  }),
});
