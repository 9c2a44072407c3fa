import { BULK_MESSAGES } from '@meridian/contract/bulk';
import type { BulkAction } from '@meridian/contract/bulk';
import { ERRORS } from '@meridian/contract/errors';
import type { ErrorCode } from '@meridian/contract/errors';
import { postCan, postStatusTargets } from '@meridian/contract/posts';
import type { PostStatus } from '@meridian/contract/posts';
import type { Db } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import type { Sql } from '../../db/sql.ts';
import { AppError } from '../../http/app-error.ts';
import { DELETED_POST } from '../posts/posts.store.ts';
import type { RequireRetryable } from '../posts/retry.ts';
import { insertRetries, RETRY_STATE } from '../posts/retry.store.ts';
import { NOUNS } from './bulk-nouns.ts';
import type { Noun } from './bulk-nouns.ts';

/** One thing that can be done to many rows, by the rules of the call that does it to one. */
export type Action = {
  noun: Noun;
  /** Rows in one transaction. */
  batch: number;
  /** Of a row `t`, the word that decides whether it is changed. */
  state: Sql;
  /** Why a row in this state is left alone; null when it is changed. */
  refusal: (state: string, value: string | null) => string | null;
  /** Before the transaction, for what takes a host to know: why a row is left alone, else null. */
  look?: (db: Db, tools: BulkTools, id: string) => Promise<string | null>;
  /** Of a row `t`, what the audit log says of it before the change. */
  was: Sql;
  /** The statement that changes these rows, which are locked and allowed. */
  change: (ids: readonly string[], value: string | null) => Sql;
};

/** What an action needs besides the database. */
export type BulkTools = { requireRetryable: RequireRetryable };

const STATUS_WAS = sql`jsonb_build_object('status', t.status)`;
/** Small enough that a list or the engine never waits for it noticeably. */
export const LARGEST_BATCH = 50;
/** Each of them may ask a host, all at once. */
const RETRY_BATCH = 20;
/** The held posts of each are released by a trigger. */
const PEOPLE_BATCH = 100;

function refuse(code: ErrorCode): string {
  return ERRORS[code].message;
}

function setPostStatus(ids: readonly string[], status: string | null): Sql {
  return sql`
    update posts set status = ${status}, version = version + 1, updated_at = now()
    where id = any(${ids}::uuid[])`;
}

function statusRefusal(state: string, to: string | null): string | null {
  if (postStatusTargets(state).includes(to as PostStatus)) return null; // a value of the contract
  return refuse(state === to ? 'post_status_same' : 'post_status_final');
}

const isInactive = (state: string) => state.endsWith(' (inactive)');
const statusOf = (state: string) => state.replace(' (inactive)', '');

/** In the words of the single call. */
async function whyNotRetry(
  db: Db,
  { requireRetryable }: BulkTools,
  id: string,
): Promise<string | null> {
  try {
    await requireRetryable(db, id);
    return null;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return error.message;
  }
}

const OF_POSTS = {
  noun: NOUNS.posts,
  batch: LARGEST_BATCH,
  state: NOUNS.posts.state,
  was: STATUS_WAS,
};
const OF_USERS = { noun: NOUNS.users, batch: PEOPLE_BATCH, state: NOUNS.users.state };

export const ACTIONS: Record<BulkAction, Action> = {
  postCancel: {
    ...OF_POSTS,
    refusal: (status) => (postCan.cancel({ status }) ? null : refuse('post_not_cancellable')),
    change: (ids) => setPostStatus(ids, 'CANCELLED'),
  },
  postStatus: { ...OF_POSTS, refusal: statusRefusal, change: setPostStatus },
  postRetry: {
    ...OF_POSTS,
    batch: RETRY_BATCH,
    state: RETRY_STATE,
    refusal: (state) => (state === 'open' ? null : refuse(state as ErrorCode)), // as RETRY_STATE says
    look: whyNotRetry,
    change: insertRetries,
  },
  postDelete: {
    ...OF_POSTS,
    was: DELETED_POST,
    refusal: () => null,
    change: (ids) => sql`delete from posts where id = any(${ids}::uuid[])`,
  },
  userStatus: {
    ...OF_USERS,
    was: STATUS_WAS,
    refusal: (state, value) => (statusOf(state) === value ? BULK_MESSAGES.unchanged : null),
    change: (ids, value) => sql`
      update users set status = ${value}, version = version + 1, updated_at = now()
      where id = any(${ids}::uuid[])`,
  },
  userActive: {
    ...OF_USERS,
    was: sql`jsonb_build_object('is_active', t.is_active)`,
    refusal: (state, value) =>
      isInactive(state) === (value === 'false') ? BULK_MESSAGES.unchanged : null,
    change: (ids, value) => sql`
      update users set is_active = ${value === 'true'}, version = version + 1, updated_at = now()
      where id = any(${ids}::uuid[])`,
  },
  ticketRevoke: {
    noun: NOUNS.tickets,
    batch: LARGEST_BATCH,
    state: NOUNS.tickets.state,
    was: STATUS_WAS,
    refusal: (state) => (state === 'UNUSED' ? null : refuse('ticket_not_revocable')),
    change: (ids) => sql`
      update tickets set status = 'REVOKED', updated_at = now() where id = any(${ids}::uuid[])`,
  },
  assignmentRevoke: {
    noun: NOUNS.assignments,
    batch: LARGEST_BATCH,
    state: NOUNS.assignments.state,
    was: STATUS_WAS,
    refusal: (state) => (state === 'ACTIVE' ? null : refuse('assignment_not_revocable')),
    change: (ids) => sql`
      update plan_assignments set status = 'REVOKED', revoked_at = now()
      where id = any(${ids}::uuid[])`,
  },
};
