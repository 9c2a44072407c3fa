import { CAUSES } from '@meridian/contract/causes';
import type { Cause, CauseOwner } from '@meridian/contract/cause-words';
import {
  ANY_HOLD,
  FAILURE_TEXT_LENGTH,
  NO_ERROR_TEXT,
  STUCK_AFTER_SECONDS,
  UNKNOWN_CAUSE,
} from '@meridian/contract/post-filter';
import type { PostFilter } from '@meridian/contract/post-filter';
import { postStatusOf } from '@meridian/contract/posts';
import type { PostListFilter } from '@meridian/contract/posts';
import { escapeLike } from '../../db/escape-like.ts';
import { sql } from '../../db/sql.ts';
import type { Sql } from '../../db/sql.ts';
import { BUSY_MS_MOST } from '../../engine/hosts.ts';

// Conditions on the columns of `posts`, without an alias: for `select … from posts where ${condition}`.

/** When a FAILED post failed; the expression of the index posts_failed_at. */
export const FAILED_AT = sql`coalesce(executed_at, updated_at)`;
/** Null has no order of its own; the expression of the index posts_failed_cause. */
export const CAUSE_WORD = sql`coalesce(cause, '')`;

/** Failures without a known cause are told apart by it. */
export const ERROR_TEXT = sql`
  left(coalesce(nullif(error_msg, ''), ${NO_ERROR_TEXT}), ${sql.whole(FAILURE_TEXT_LENGTH)})`;

/** A busy host puts posts off for this long at most; meanwhile they wait as others do. */
const BUSY_MOST = sql`make_interval(secs => ${sql.whole(BUSY_MS_MOST / 1000)})`;
/** By the index posts_claim: all that are overdue or stuck, and a few more. */
export const CLAIM_IS_NEAR = sql`claim_at <= now() + ${BUSY_MOST}`;

export const IS_OVERDUE = sql`(status = 'PENDING' and scheduled_at <= now()
  and (claim_at <= now() or hold is null and ${CLAIM_IS_NEAR}))`;
export const IS_STUCK = sql`(
  claim_at < now() - make_interval(secs => ${sql.whole(STUCK_AFTER_SECONDS)}) and status = 'PROCESSING')`;

/** Every post that the filter names, whatever the list's order and page. */
export function postFilterCondition(filter: PostListFilter): Sql {
  const { status, userFilter, userId, overdue, stuck, text } = filter;
  const conditions = [
    status === undefined ? null : sql`status = ${postStatusOf(status)}`,
    userFilter ? isOfPeople(userFilter) : null,
    userId === undefined ? null : sql`user_id = ${userId}`,
    ...timeConditions(filter),
    ...causeConditions(filter),
    holdCondition(filter.hold),
    overdue === true ? IS_OVERDUE : null,
    stuck === true ? IS_STUCK : null,
    text ? sql`lower(content) like lower(${`%${escapeLike(text)}%`})` : null,
  ].filter((condition) => condition !== null);
  return conditions.length === 0 ? sql`true` : sql.join(conditions, sql` and `);
}

/** A lookup per post: as a join it would lose the order of the posts. */
function isOfPeople(userFilter: string): Sql {
  const pattern = `%${escapeLike(userFilter)}%`;
  return sql`(select u.search_text like lower(${pattern}) from users u where u.id = user_id)`;
}

function timeConditions({ from, to, failedFrom, failedTo }: PostFilter): (Sql | null)[] {
  return [
    from === undefined ? null : sql`scheduled_at >= ${from}`,
    to === undefined ? null : sql`scheduled_at < ${to}`,
    failedFrom === undefined ? null : sql`status = 'FAILED' and ${FAILED_AT} >= ${failedFrom}`,
    failedTo === undefined ? null : sql`status = 'FAILED' and ${FAILED_AT} < ${failedTo}`,
  ];
}

function causeConditions({ cause, owner, error }: PostFilter): (Sql | null)[] {
  return [
    cause === undefined ? null : sql`status = 'FAILED' and ${isOfCause(cause)}`,
    owner === undefined ? null : sql`status = 'FAILED' and ${isOfOwner(owner)}`,
    error
      ? sql`status = 'FAILED' and ${isOfCause(UNKNOWN_CAUSE)} and ${ERROR_TEXT} = ${error}`
      : null,
  ];
}

function isOfCause(cause: NonNullable<PostFilter['cause']>): Sql {
  return cause === UNKNOWN_CAUSE
    ? sql`${CAUSE_WORD} <> all(${Object.keys(CAUSES)})`
    : sql`${CAUSE_WORD} = ${cause}`;
}

/** A failure without a known cause is ours to look into. */
function isOfOwner(owner: CauseOwner): Sql {
  return owner === 'us'
    ? sql`${CAUSE_WORD} <> all(${[...causesOf('person'), ...causesOf('network')]})`
    : sql`${CAUSE_WORD} = any(${causesOf(owner)})`;
}

export function causesOf(owner: CauseOwner): Cause[] {
  // `Object.keys` loses the literal types of a closed list.
  return (Object.keys(CAUSES) as Cause[]).filter((cause) => CAUSES[cause].owner === owner);
}

function holdCondition(hold: PostFilter['hold']): Sql | null {
  if (hold === undefined) return null;
  return hold === ANY_HOLD ? sql`hold is not null` : sql`hold = ${hold}`;
}
