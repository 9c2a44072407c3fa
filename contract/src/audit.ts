import * as z from 'zod/mini';
import {
  AUDIT_ACTIONS,
  AUDIT_ENTITIES,
  type AuditAction,
  type AuditEntity,
} from './audit-actions.ts';
import { endpoint } from './endpoint.ts';
import { choice, cursors, instant, paging, timestamp } from './fields.ts';
import { line } from './texts.ts';
import { REASON_MAX_LENGTH } from './requests.ts';

export const AUDIT_PAGE_SIZE = 20;
export const AUDIT_WORD_MAX_LENGTH = 200;

export const AUDIT_MESSAGES = {
  listFailed: 'Failed to load the audit log',
  reverseFailed: 'Failed to reverse this change',
} as const;

/** On one line: the hash of an entry separates its fields by line breaks. */
export const reasonText = line('Reason', REASON_MAX_LENGTH);

const fields = z.nullable(z.record(z.string(), z.unknown()));

const auditEntry = z.object({
  /** Counts up in the order in which the changes were made. */
  id: z.string(),
  at: timestamp,
  /** `host` for the operator of the machine, `engine` for the worker that publishes posts. */
  actor: z.string(),
  /** Where the request came from: an IPv4 address, or an IPv6 network. */
  network: z.nullable(z.string()),
  action: z.string(),
  entity: z.string(),
  entityId: z.nullable(z.string()),
  /** Only the fields that differ. */
  before: fields,
  after: fields,
  requestId: z.nullable(z.string()),
  reason: z.nullable(z.string()),
  /** The same for all entries of one change of many things. */
  batch: z.nullable(z.string()),
  /** Why it cannot be reversed; null when it can, as long as nothing newer stands. */
  finalReason: z.nullable(z.string()),
  /** The latest entry that changed one of the same fields since. */
  supersededBy: z.nullable(z.string()),
});
export type AuditEntry = z.output<typeof auditEntry>;

const word = (label: string) =>
  z.optional(line(label, AUDIT_WORD_MAX_LENGTH, `${label} must not be empty`));

// Object.keys forgets the names, which are those of the tables.
export const AUDIT_ENTITY_NAMES = Object.keys(AUDIT_ENTITIES) as AuditEntity[];
export const AUDIT_ACTION_NAMES = Object.keys(AUDIT_ACTIONS) as AuditAction[];

export const auditList = endpoint({
  name: 'auditList',
  method: 'GET',
  path: '/api/admin/audit',
  right: 'audit:read',
  summary: 'Entries of the audit log, newest first',
  query: z.strictObject({
    ...paging,
    /** The name of an administrator, `host` or `engine`. */
    actor: word('actor'),
    action: z.optional(choice('action', AUDIT_ACTION_NAMES)),
    entity: z.optional(choice('entity', AUDIT_ENTITY_NAMES)),
    /** Of a user, the entries about its plan assignments are included. */
    entityId: word('entityId'),
    batch: word('batch'),
    /** From this time on. */
    from: z.optional(instant('from')),
    /** Before this time. */
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
  answer: z.object({ success: z.literal(true) }),
});
