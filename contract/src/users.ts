import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { choice, count, cursors, flag, id, paging, searchText, timestamp } from './fields.ts';

export const USER_STATUSES = ['ACTIVE', 'RESTRICTED', 'SUSPENDED', 'BLOCKED'] as const;
export type UserStatus = (typeof USER_STATUSES)[number];

export const USER_STATUS_FILTERS = ['ACTIVE', 'SUSPENDED', 'BLOCKED'] as const;

export const USERS_PAGE_SIZE = 20;

export const USER_MESSAGES = {
  listFailed: 'Failed to load users',
  loadFailed: 'Failed to load user',
  notFound: 'User not found',
  statusFailed: 'Failed to update user status',
  updateFailed: 'Failed to update user',
  restrictionsFailed: 'Failed to update upgrade restrictions',
  upgradesProhibited: 'Plan upgrades are currently prohibited for this user',
  confirmStatusTitle: 'Change User Status',
  confirmStatus: (status: string) => `Are you sure you want to change user status to ${status}?`,
} as const;

export const user = z.object({
  id,
  did: z.string(),
  handle: z.string(),
  display_name: z.nullable(z.string()),
  avatar: z.nullable(z.string()),
  status: z.string(),
  is_active: z.boolean(),
  has_access_keyword_access: z.boolean(),
  upgrade_prohibited: z.boolean(),
  /** For If-Match. */
  version: z.int(),
  created_at: timestamp,
  updated_at: timestamp,
});
export type User = z.output<typeof user>;

export const USER_SEARCH_MAX_LENGTH = 256;

/** `search` is not in the specification: part of a handle, a DID or a display name. */
export const userListQuery = z.strictObject({
  ...paging,
  status: z.optional(choice('status', USER_STATUSES)),
  search: z.optional(searchText('search', USER_SEARCH_MAX_LENGTH)),
});

const userPatchBody = z
  .strictObject({
    status: z.optional(choice('status', USER_STATUSES)),
    is_active: z.optional(flag('is_active')),
  })
  .check(
    z.refine((body) => (body.status === undefined) !== (body.is_active === undefined), {
      error: 'Send either status or is_active',
    }),
  )
  .register(z.globalRegistry, { minProperties: 1, maxProperties: 1 });

const userEnvelope = z.object({ user });

export const userList = endpoint({
  name: 'userList',
  method: 'GET',
  path: '/api/admin/users',
  right: 'users:read',
  summary: 'Users, newest first',
  query: userListQuery,
  answer: z.object({ users: z.array(user), total: count, cursors }),
});

export const userGet = endpoint({
  name: 'userGet',
  method: 'GET',
  path: '/api/admin/users/{id}',
  right: 'users:read',
  summary: 'One user',
  answer: userEnvelope,
});

export const userUpdate = endpoint({
  name: 'userUpdate',
  method: 'PATCH',
  path: '/api/admin/users/{id}',
  right: 'users:write',
  summary: 'Set the status, or activate or deactivate',
  body: userPatchBody,
  answer: userEnvelope,
});

export const userRestrict = endpoint({
  name: 'userRestrict',
  method: 'PATCH',
  path: '/api/admin/users/{id}/restrictions',
  right: 'users:write',
  summary: 'Prohibit or enable plan upgrades',
  body: z.strictObject({ upgradeProhibited: flag('upgradeProhibited') }),
  answer: z.object({ upgradeProhibited: z.boolean() }),
});
