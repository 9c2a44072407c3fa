import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { choice, count, flag, id, integer, keysOf, timestamp } from './fields.ts';
import { POST_STATUSES, postListFilter } from './posts.ts';
import { ticketListQuery } from './tickets.ts';
import { USER_STATUSES, userListQuery } from './users.ts';

export const BULK_VALUES = {
  postCancel: [],
  postDelete: [],
  postStatus: POST_STATUSES,
  postRetry: [],
  userStatus: USER_STATUSES,
  userActive: ['true', 'false'],
  ticketRevoke: [],
  assignmentRevoke: [],
} as const satisfies Record<string, readonly string[]>;
export type BulkAction = keyof typeof BULK_VALUES;

export const BULK_MAX_IDS = 1_000;
/** A preview writes its rows down, which takes about a second for this many. */
export const BULK_MAX_ROWS = 200_000;
export const BULK_TYPED_BEYOND = 20;
export const BULK_EXAMPLES = 5;

export const BULK_MESSAGES = {
  tooMany: `More than ${BULK_MAX_ROWS.toLocaleString('en-US')} match. Narrow the filter`,
  nothing: 'Nothing matches',
  wrongValue: 'value does not fit the action',
  wrongList: 'The filter is that of another list',
  typeCount: (n: number) => `Type ${n} to confirm`,
  unchanged: 'It is so already',
  refused: 'The database refused this change',
  loadFailed: 'Failed to load the change',
  previewFailed: 'Failed to find out what would change',
  startFailed: 'Failed to start the change',
  stopFailed: 'Failed to stop the change',
  resultFailed: 'Failed to load the result',
} as const;

export function bulkIsRunning({ state }: { state: string }): boolean {
  return state === 'RUNNING' || state === 'STOPPING';
}

/** In a query string flags are words. */
const FLAGS = { overdue: z.optional(flag('overdue')), stuck: z.optional(flag('stuck')) };
const FILTER = { status: true, search: true } as const;

const selection = z
  .strictObject({
    ids: z.optional(
      z
        .array(z.string().check(z.maxLength(36, { error: 'ids must hold ids' })))
        .check(z.maxLength(BULK_MAX_IDS, { error: `ids must hold at most ${BULK_MAX_IDS} ids` })),
    ),
    posts: z.optional(z.extend(postListFilter, FLAGS)),
    users: z.optional(z.pick(userListQuery, FILTER)),
    tickets: z.optional(z.pick(ticketListQuery, FILTER)),
  })
  .check(
    z.refine((value) => Object.values(value).filter((one) => one !== undefined).length === 1, {
      error: 'Send either ids, or the filter of one list',
    }),
  )
  .register(z.globalRegistry, { minProperties: 1, maxProperties: 1 });
export type BulkSelection = z.output<typeof selection>;

// That value and selection fit the action is a rule of the service.
const previewBody = z.strictObject({
  action: choice('action', keysOf(BULK_VALUES)),
  value: z.optional(choice('value', [...POST_STATUSES, ...USER_STATUSES, 'true', 'false'])),
  selection,
});

export function nounOf(action: BulkAction): 'posts' | 'users' | 'tickets' | 'assignments' {
  if (action === 'assignmentRevoke') return 'assignments';
  if (action === 'ticketRevoke') return 'tickets';
  return action.startsWith('user') ? 'users' : 'posts';
}

const preview = z.object({
  token: id,
  count,
  examples: z.array(
    z.object({
      id,
      label: z.string(),
      state: z.string(),
      languages: z.optional(z.array(z.string())),
    }),
  ),
  consequences: z.array(z.string()),
  skipped: z.array(z.object({ reason: z.string(), count })),
});
export type BulkPreview = z.output<typeof preview>;

const bulkChange = z.object({
  id,
  action: z.string(),
  value: z.nullable(z.string()),
  /** RUNNING until all rows have a result, then DONE; STOPPING until the rows at work have theirs, then STOPPED. */
  state: z.string(),
  total: count,
  done: count,
  failed: count,
  skipped: count,
  reason: z.nullable(z.string()),
  madeBy: z.string(),
  startedAt: timestamp,
  finishedAt: z.nullable(timestamp),
});
export type BulkChange = z.output<typeof bulkChange>;

const envelope = z.object({ change: bulkChange });

export const bulkPreview = endpoint({
  name: 'bulkPreview',
  method: 'POST',
  path: '/api/admin/bulk-changes/preview',
  right: null,
  summary: 'What a change of many rows would do; changes nothing',
  body: previewBody,
  answer: preview,
});

export const bulkStart = endpoint({
  name: 'bulkStart',
  method: 'POST',
  path: '/api/admin/bulk-changes',
  right: null,
  summary: 'Start what was previewed, unless other rows match by now',
  body: z.strictObject({
    token: z.string({ error: 'token is required' }).check(z.maxLength(36)),
    typedCount: z.optional(integer('typedCount', 0)),
  }),
  answer: envelope,
});

export const bulkStop = endpoint({
  name: 'bulkStop',
  method: 'POST',
  path: '/api/admin/bulk-changes/{id}/stop',
  right: null,
  summary: 'Leave the rows that are not changed yet as they are',
  answer: envelope,
});

export const bulkGet = endpoint({
  name: 'bulkGet',
  method: 'GET',
  path: '/api/admin/bulk-changes/{id}',
  right: null,
  summary: 'One change of many rows and how far it is',
  answer: envelope,
});

export const bulkList = endpoint({
  name: 'bulkList',
  method: 'GET',
  path: '/api/admin/bulk-changes',
  right: null,
  summary: 'The latest changes of many rows',
  answer: z.object({ changes: z.array(bulkChange) }),
});

export const bulkResult = endpoint({
  name: 'bulkResult',
  method: 'GET',
  path: '/api/admin/bulk-changes/{id}/result.csv',
  right: null,
  summary: 'What happened to each row, as CSV',
  media: 'export',
  answer: z.string(),
});

export const CONSEQUENCES_OF = [
  'planDeactivate',
  'currencyDeactivate',
  'userBlock',
  'ticketRevoke',
  'closedBeta',
] as const;
export type ConsequenceOf = (typeof CONSEQUENCES_OF)[number];

export const consequenceGet = endpoint({
  name: 'consequenceGet',
  method: 'GET',
  path: '/api/admin/consequences',
  right: null,
  summary: 'Whom a change would concern, in sentences; none where it concerns nothing else',
  query: z.strictObject({
    of: z._default(choice('of', CONSEQUENCES_OF), 'closedBeta'),
    id: z.optional(z.string().check(z.maxLength(36, { error: 'id is too long' }))),
  }),
  answer: z.object({ sentences: z.array(z.string()) }),
});
