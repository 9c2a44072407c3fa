import type { BulkAction } from '@meridian/contract/bulk';
import { sql } from '../../db/sql.ts';
import type { Sql } from '../../db/sql.ts';
import type { StateCount } from './bulk.store.ts';

/** What an administrator should know before rows are changed: how many in all, and by state. */
type Change = {
  value: string | null;
  /** Rows that will be changed. */
  count: number;
  /** The sum of `WEIGHTS` over them. */
  weight: number;
  in: (state: string) => number;
};

const NO_WEIGHT = sql`0`;
/** Of a user `t`, the posts that are still to run. */
const PENDING_POSTS = sql`(select coalesce(sum(c.pending), 0) from user_post_counters c where c.user_id = t.id)`;

const WEIGHTS: Partial<Record<BulkAction, Sql>> = {
  userStatus: PENDING_POSTS,
  userActive: PENDING_POSTS,
};

export function weightOf(action: BulkAction): Sql {
  return WEIGHTS[action] ?? NO_WEIGHT;
}

const SENTENCES: Record<BulkAction, (change: Change) => (string | null)[]> = {
  postCancel: ({ count, in: of }) => [
    `${posts(count)} will be cancelled and not published.`,
    underWay(of('PROCESSING')),
  ],
  postDelete: ({ count, in: of }) => [
    `${posts(count)} will be deleted. This cannot be undone.`,
    of('COMPLETED') > 0
      ? `${posts(of('COMPLETED'))} of them ${are(of('COMPLETED'))} published and ${of('COMPLETED') === 1 ? 'stays' : 'stay'} on the network.`
      : null,
    underWay(of('PROCESSING')),
  ],
  postStatus: ({ count, value, in: of }) => [
    `${posts(count)} will be set to ${value}.`,
    value === 'PENDING'
      ? 'Those whose time has passed are published at once, or fail as too late.'
      : null,
    value === 'PROCESSING' ? 'The engine publishes them as soon as it can.' : null,
    value === 'PROCESSING' || value === 'PENDING' ? null : underWay(of('PROCESSING')),
  ],
  postRetry: ({ count }) => [
    `${posts(count)} will be scheduled again, ${count === 1 ? 'as' : 'each as'} a new post that is due now and names the old one.`,
    'What turns out to be published already is skipped.',
  ],
  userStatus: ({ count, value, weight }) => [
    `${people(count)} will be set to ${value}.`,
    value === 'BLOCKED' || value === 'SUSPENDED' ? heldPosts(weight) : null,
  ],
  userActive: ({ count, value, weight }) => [
    `${people(count)} will be ${value === 'true' ? 'activated' : 'deactivated'}.`,
    value === 'false' ? heldPosts(weight) : null,
  ],
  ticketRevoke: ({ count }) => [
    `${counted(count, 'ticket', 'tickets')} can no longer be redeemed. This cannot be undone.`,
  ],
  assignmentRevoke: ({ count }) => [
    `${counted(count, 'plan assignment', 'plan assignments')} will end now. This cannot be undone.`,
  ],
};

export function consequencesOf(
  action: BulkAction,
  value: string | null,
  changed: readonly StateCount[],
): string[] {
  const sum = (name: 'count' | 'weight') => changed.reduce((total, row) => total + row[name], 0);
  const count = sum('count');
  if (count === 0) return ['Nothing will change.'];
  const inState = (state: string) => changed.find((row) => row.state === state)?.count ?? 0;
  return SENTENCES[action]({ value, count, weight: sum('weight'), in: inState }).filter(
    (sentence) => sentence !== null,
  );
}

export function heldPosts(count: number): string {
  return count === 0
    ? 'No scheduled posts are concerned.'
    : `${counted(count, 'scheduled post', 'scheduled posts')} will not be published meanwhile.`;
}

function underWay(count: number): string | null {
  return count === 0
    ? null
    : `${posts(count)} of them ${are(count)} being published and may be out already.`;
}

export function counted(count: number, one: string, many: string): string {
  return `${count.toLocaleString('en-US')} ${count === 1 ? one : many}`;
}

const posts = (count: number) => counted(count, 'post', 'posts');
const people = (count: number) => counted(count, 'user', 'users');
const are = (count: number) => (count === 1 ? 'is' : 'are');
