import type { Cause } from '@meridian/contract/cause-words';
import type { Content } from './compose.ts';
import { newBlobCid, newTid } from './ids.ts';
import { lottery } from './random.ts';
import type { Random } from './random.ts';
import { NETWORK_MAX_LENGTH } from './rich-text.ts';
import type { PostRow } from './rows.ts';
import { iso, MINUTE } from './times.ts';
import type { Author } from './users.ts';

export type Draft = { user: Author; content: Content; scheduledAt: number; createdAt: number };
type Details = Pick<PostRow, 'executed_at' | 'at_uri' | 'at_rkey' | 'error_msg' | 'cause'>;
export type Outcome = Pick<PostRow, 'status' | 'updated_at'> & Details;

function outcome(status: PostRow['status'], at: number, details: Partial<Details> = {}): Outcome {
  const none = { executed_at: null, at_uri: null, at_rkey: null, error_msg: null, cause: null };
  return { status, updated_at: iso(at), ...none, ...details };
}

/** The state of a post at `now`. */
export function outcomeOf(random: Random, draft: Draft, now: number): Outcome {
  const status = statusOf(random, draft, now);
  if (status === 'COMPLETED') return completed(random, draft, now);
  if (status === 'FAILED') return failed(random, draft, now);
  return status === 'CANCELLED' ? cancelled(random, draft, now) : pending(random, draft, now);
}

function statusOf(random: Random, draft: Draft, now: number) {
  const { row } = draft.user;
  const isPast = draft.scheduledAt < now;
  if (isAfterStop(draft)) {
    const isStoppedByNetwork = row.status === 'BLOCKED' || !row.is_active;
    return isPast && isStoppedByNetwork && random.chance(0.5) ? 'FAILED' : 'CANCELLED';
  }
  if (!isPast) return random.chance(0.06) ? 'CANCELLED' : 'PENDING';
  if (draft.content.length > NETWORK_MAX_LENGTH) return 'FAILED';
  const share = random.unit();
  return share < 0.925 ? 'COMPLETED' : share < 0.963 ? 'FAILED' : 'CANCELLED';
}

function isAfterStop({ user, scheduledAt }: Draft): boolean {
  return user.stoppedAt !== null && scheduledAt > user.stoppedAt;
}

function completed(random: Random, { user, content, scheduledAt }: Draft, now: number): Outcome {
  const startedAt = scheduledAt + random.int(250, 1800);
  // Uploading pictures takes time; sometimes the network asks to wait.
  const wait = random.chance(0.03) ? random.int(20_000, 240_000) : 0;
  const upload = content.pictures * random.int(250, 1100);
  const executedAt = Math.min(now, startedAt + random.int(180, 900) + upload + wait);
  const at_rkey = newTid(random, startedAt);
  const at_uri = `at://${user.row.did}/app.bsky.feed.post/${at_rkey}`;
  return outcome('COMPLETED', executedAt, { executed_at: iso(executedAt), at_uri, at_rkey });
}

function failed(random: Random, draft: Draft, now: number): Outcome {
  const retries = random.chance(0.3) ? 5 * MINUTE : 0;
  const failedAt = Math.min(now, draft.scheduledAt + random.int(700, 9000) + retries);
  const at_rkey = newTid(random, draft.scheduledAt + 400);
  const error_msg = failureOf(random, draft);
  return outcome('FAILED', failedAt, { at_rkey, error_msg, cause: causeOf(error_msg) });
}

function cancelled(random: Random, { user, scheduledAt, createdAt }: Draft, now: number): Outcome {
  const latest = Math.min(scheduledAt, now) - 1000;
  const stoppedAt = user.stoppedAt ?? Infinity;
  const at = stoppedAt < latest ? stoppedAt : createdAt + (latest - createdAt) * random.unit();
  return outcome('CANCELLED', Math.max(createdAt, Math.round(at)));
}

/** Of a post that waits for its time. */
export function pending(random: Random, { createdAt }: Draft, now: number): Outcome {
  const editedAt = random.chance(0.2) ? createdAt + random.int(2, 600) * MINUTE : createdAt;
  return outcome('PENDING', Math.max(createdAt, Math.min(now - MINUTE, editedAt)));
}

/** The network's own words where it gives any, else what the connection reported. */
function failureOf(random: Random, draft: Draft): string {
  if (draft.content.length > NETWORK_MAX_LENGTH) {
    return `InvalidRequest: Invalid app.bsky.feed.post record: grapheme too big (maximum 300, got ${draft.content.length}) at $.record.text`;
  }
  if (isAfterStop(draft)) {
    return draft.user.row.status === 'BLOCKED'
      ? 'AccountTakedown: Account has been taken down'
      : 'AccountDeactivated: Account is deactivated';
  }
  if (draft.content.pictures > 0 && random.chance(0.45)) {
    return random.pick([
      `BlobNotFound: Could not find blob: ${newBlobCid(random)}`,
      'PayloadTooLarge: request entity too large',
      `InvalidRequest: blob too big (maximum 2000000, got ${random.int(2_000_001, 6_400_000)}) at $.record.embed.images[0].image`,
    ]);
  }
  return drawFailure(random.unit());
}

const drawFailure = lottery([
  ['ExpiredToken: Token has expired; connect the account again before publishing', 26],
  ['RateLimitExceeded: Rate Limit Exceeded', 16],
  ['UpstreamTimeout: Upstream service did not respond in time', 12],
  ['AuthenticationRequired: Invalid identifier or password', 10],
  ['UpstreamFailure: Upstream service unreachable', 9],
  ['InternalServerError: Internal Server Error', 9],
  ['InvalidToken: Token could not be verified', 8],
  ['fetch failed: connect ETIMEDOUT', 6],
  ['ScopeMissingError: Missing required scope "repo:app.bsky.feed.post?action=create"', 5],
  ['fetch failed: getaddrinfo EAI_AGAIN', 4],
  ['AccountNotFound: Account not found on this server', 4],
]);

/** As the engine would name it; one that has no entry is in no list of causes. */
function causeOf(error: string): Cause | null {
  return CAUSES_OF.find(([start]) => error.startsWith(start))?.[1] ?? null;
}

const CAUSES_OF: readonly [start: string, cause: Cause][] = [
  ['InvalidRequest: Invalid app.bsky.feed.post record: grapheme too big', 'too_long'],
  ['InvalidRequest: blob too big', 'image_too_large'],
  ['PayloadTooLarge', 'image_too_large'],
  ['BlobNotFound', 'blob_refused'],
  ['AccountTakedown', 'taken_down'],
  ['AccountDeactivated', 'account_deactivated'],
  ['AccountNotFound', 'account_gone'],
  ['RateLimitExceeded', 'rate_limited_account'],
  ['UpstreamTimeout', 'host_slow'],
  ['UpstreamFailure', 'host_down'],
  ['InternalServerError', 'host_down'],
  ['ScopeMissingError', 'scope_missing'],
  ['fetch failed: connect', 'network_unreachable'],
  ['ExpiredToken', 'reconnect'],
  ['InvalidToken', 'reconnect'],
  ['AuthenticationRequired', 'reconnect'],
];
