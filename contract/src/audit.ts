import * as z from 'zod/mini';
import { endpoint, success } from './endpoint.ts';
import { choice, cursors, instant, keysOf, line, paging, timestamp } from './fields.ts';
import { REASON_MAX_LENGTH } from './requests.ts';

export const AUDIT_ENTITIES = {
  admin: 'Administrator',
  settings: 'Service settings',
  user: 'User',
  assignment: 'Plan assignment',
  post: 'Post',
  ticket: 'Ticket',
  plan: 'Plan',
  currency: 'Currency',
  handover: 'Hand-over note',
  'access-keyword': 'Access keyword',
  'api-token': 'API token',
  'bulk-change': 'Change of many rows',
  import: 'Import',
} as const;
export type AuditEntity = keyof typeof AUDIT_ENTITIES;

type Action = {
  entity: AuditEntity;
  label: string;
  /** The reason why there is no inverse; null when the fields can be set back. */
  final: string | null;
};

const EVENT = 'It records an event; there is nothing to set back.';
const PASSWORD = 'A password cannot be set back.';
const MANY =
  'Rows that were changed together are changed back the same way, where that is possible.';
const HOST = 'Use npm run admin on the host.';

/** An action that is a call of the contract has its name. */
export const AUDIT_ACTIONS = {
  authLogin: { entity: 'admin', label: 'Signed in', final: EVENT },
  authLoginFailed: { entity: 'admin', label: 'Sign-in failed', final: EVENT },
  authThrottled: { entity: 'admin', label: 'Sign-in refused by rate limit', final: EVENT },
  authLogout: { entity: 'admin', label: 'Signed out', final: EVENT },
  authPassword: { entity: 'admin', label: 'Changed password', final: PASSWORD },
  authPasswordFailed: { entity: 'admin', label: 'Password change failed', final: EVENT },
  adminCreate: { entity: 'admin', label: 'Created administrator', final: HOST },
  adminResetPassword: { entity: 'admin', label: 'Reset password', final: PASSWORD },
  adminUnlock: { entity: 'admin', label: 'Unlocked sign-in', final: EVENT },
  adminDisable: { entity: 'admin', label: 'Disabled administrator', final: HOST },
  adminEnable: { entity: 'admin', label: 'Enabled administrator', final: HOST },
  settingsUpdate: { entity: 'settings', label: 'Changed service settings', final: null },
  suspensionUpdate: {
    entity: 'settings',
    label: 'Suspended service',
    final: 'Change the details again, or resume the service.',
  },
  serviceResume: {
    entity: 'settings',
    label: 'Resumed service by a plan',
    final: 'Posts may be published or marked as too late. Suspend the service to stop the rest.',
  },
  userUpdate: { entity: 'user', label: 'Changed user', final: null },
  userRestrict: { entity: 'user', label: 'Changed upgrade restriction', final: null },
  accountDisconnect: {
    entity: 'user',
    label: 'Disconnected account',
    final: 'Only the user can connect the account again.',
  },
  meDelete: {
    entity: 'user',
    label: 'Deleted own data',
    final: 'Deleted data cannot be restored.',
  },
  accessKeywordCreate: {
    entity: 'access-keyword',
    label: 'Created access keyword',
    final: 'An access keyword cannot be deleted. Revoke it instead.',
  },
  accessKeywordRevoke: {
    entity: 'access-keyword',
    label: 'Revoked access keyword',
    final: 'A revoked access keyword stays revoked. Create a new one instead.',
  },
  apiTokenCreate: {
    entity: 'api-token',
    label: 'Created API token',
    final: 'An API token cannot be deleted. Revoke it instead.',
  },
  apiTokenRotate: { entity: 'api-token', label: 'Replaced API token', final: EVENT },
  apiTokenRevoke: {
    entity: 'api-token',
    label: 'Revoked API token',
    final: 'A revoked API token stays revoked. Create a new one instead.',
  },
  /** A service whose token acts for the member writes this before the call. */
  memberCall: { entity: 'user', label: 'Acted for member', final: EVENT },
  assignmentRevoke: {
    entity: 'assignment',
    label: 'Revoked plan',
    final: 'A revoked plan assignment stays revoked. Issue a new ticket instead.',
  },
  postUpdate: { entity: 'post', label: 'Changed post status', final: null },
  postCancel: { entity: 'post', label: 'Cancelled post', final: null },
  postDelete: {
    entity: 'post',
    label: 'Deleted post',
    final: 'A deleted post cannot be restored: its text was not kept.',
  },
  postRetry: {
    entity: 'post',
    label: 'Retried post',
    final: 'The new post is a post of its own. Cancel it instead.',
  },
  /** Earlier versions retried a group of failures by an entry for each post. */
  failureRetry: {
    entity: 'post',
    label: 'Retried failed posts',
    final: 'The new post is a post of its own. Cancel it instead.',
  },
  postPublishedAfterDelete: {
    entity: 'post',
    label: 'Published although deleted',
    final: 'The post is public. Its author can delete it on the network.',
  },
  ticketIssue: {
    entity: 'ticket',
    label: 'Issued ticket',
    final: 'A ticket cannot be unissued. Revoke it instead.',
  },
  ticketRevoke: {
    entity: 'ticket',
    label: 'Revoked ticket',
    final: 'A revoked ticket stays revoked. Issue a new one instead.',
  },
  planCreate: {
    entity: 'plan',
    label: 'Created plan',
    final: 'A plan cannot be deleted. Deactivate it instead.',
  },
  planUpdate: { entity: 'plan', label: 'Changed plan', final: null },
  planSetActive: { entity: 'plan', label: 'Activated or deactivated plan', final: null },
  planSetVisibility: { entity: 'plan', label: 'Showed or hid plan', final: null },
  planPublish: {
    entity: 'plan',
    label: 'Published plans',
    final: 'Published plans may have been read. Change the plans and publish again.',
  },
  planPublishFailed: { entity: 'plan', label: 'Publishing plans failed', final: EVENT },
  currencyCreate: {
    entity: 'currency',
    label: 'Created currency',
    final: 'A currency cannot be deleted. Deactivate it instead.',
  },
  currencyUpdate: { entity: 'currency', label: 'Changed currency', final: null },
  currencyDeactivate: { entity: 'currency', label: 'Deactivated currency', final: null },
  currencyActivate: { entity: 'currency', label: 'Activated currency', final: null },
  bulkStart: { entity: 'bulk-change', label: 'Changed many rows', final: MANY },
  bulkStop: { entity: 'bulk-change', label: 'Stopped a change of many rows', final: EVENT },
  bulkFinish: { entity: 'bulk-change', label: 'Finished a change of many rows', final: EVENT },
  importStart: { entity: 'import', label: 'Started an import', final: EVENT },
  importFinish: { entity: 'import', label: 'Finished an import', final: EVENT },
  handoverUpdate: {
    entity: 'handover',
    label: 'Changed hand-over note',
    final: 'Write the note again instead.',
  },
} as const satisfies Record<string, Action>;
export type AuditAction = keyof typeof AUDIT_ACTIONS;

const FINAL_POST_STATES = new Set<unknown>(['COMPLETED', 'FAILED']);

/** The reason why an entry can never be reversed; null when it can, as long as nothing newer stands. */
export function finalReason(action: string, after: Record<string, unknown> | null): string | null {
  const known: Action | undefined = Object.hasOwn(AUDIT_ACTIONS, action)
    ? AUDIT_ACTIONS[action as AuditAction] // hasOwn has just said so
    : undefined;
  if (known === undefined) return 'This version knows no inverse of this action.';
  if (known.entity === 'post' && FINAL_POST_STATES.has(after?.['status'])) {
    return known.final ?? 'A completed or failed post keeps its status.';
  }
  return known.final;
}

export const AUDIT_PAGE_SIZE = 20;
export const AUDIT_WORD_MAX_LENGTH = 200;

export const AUDIT_MESSAGES = {
  listFailed: 'Failed to load the audit log',
  reverseFailed: 'Failed to reverse this change',
} as const;

/** One line, since the hash of an entry separates its fields by line breaks. */
export const reasonText = line('Reason', REASON_MAX_LENGTH);

const fields = z.nullable(z.record(z.string(), z.unknown()));

const auditEntry = z.object({
  id: z.string(),
  at: timestamp,
  /** `host` for the operator of the machine, `engine` for the worker that publishes posts. */
  actor: z.string(),
  network: z.nullable(z.string()),
  action: z.string(),
  entity: z.string(),
  entityId: z.nullable(z.string()),
  before: fields,
  after: fields,
  requestId: z.nullable(z.string()),
  reason: z.nullable(z.string()),
  batch: z.nullable(z.string()),
  finalReason: z.nullable(z.string()),
  supersededBy: z.nullable(z.string()),
});
export type AuditEntry = z.output<typeof auditEntry>;

const word = (label: string) =>
  z.optional(line(label, AUDIT_WORD_MAX_LENGTH, `${label} must not be empty`));

export const AUDIT_ENTITY_NAMES = keysOf(AUDIT_ENTITIES);
export const AUDIT_ACTION_NAMES = keysOf(AUDIT_ACTIONS);

export const auditList = endpoint({
  name: 'auditList',
  method: 'GET',
  path: '/api/admin/audit',
  right: 'audit:read',
  summary: 'Entries of the audit log, newest first',
  query: z.strictObject({
    ...paging,
    actor: word('actor'),
    action: z.optional(choice('action', AUDIT_ACTION_NAMES)),
    entity: z.optional(choice('entity', AUDIT_ENTITY_NAMES)),
    /** A user's entries include those about its plan assignments. */
    entityId: word('entityId'),
    batch: word('batch'),
    // Half open.
    from: z.optional(instant('from')),
    to: z.optional(instant('to')),
  }),
  answer: z.object({ entries: z.array(auditEntry), cursors }),
});

export const auditReverse = endpoint({
  name: 'auditReverse',
  method: 'POST',
  path: '/api/admin/audit/{id}/reverse',
  right: null,
  summary: 'Set the fields of an entry back to what they were before, as a change of its own',
  answer: success,
});
