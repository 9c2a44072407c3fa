import { newBlobCid, newTid } from '../identifiers.ts';
import type { Random } from '../random.ts';
import { NETWORK_MAX_LENGTH } from '../rich-text.ts';
import type { PostRow, UserRow } from '../rows.ts';
import { iso, MINUTE } from '../times.ts';

export type Author = {
  row: Pick<UserRow, 'did' | 'status' | 'is_active'>;
  /** When their account was stopped. */
  stoppedAt: number | null;
};
export type Draft<User extends Author = Author> = {
  user: User;
  scheduledAt: number;
  createdAt: number;
  length: number;
  pictures: number;
};
export type Outcome = Pick<
  PostRow,
  'status' | 'updated_at' | 'executed_at' | 'at_uri' | 'at_rkey' | 'error_msg'
>;

/** What became of a post by now. */
export function outcomeOf(random: Random, draft: Draft, now: number): Outcome {
  const status = statusOf(random, draft, now);
  if (status === 'COMPLETED') return completed(random, draft, now);
  if (status === 'FAILED') return failed(random, draft, now);
  return status === 'CANCELLED' ? cancelled(random, draft, now) : pending(random, draft, now);
}

/** Of a post that is being published right now. */
export function processing(random: Random, { scheduledAt }: Draft): Outcome {
  const startedAt = scheduledAt + random.int(300, 2500);
  return {
    ...nothing,
    status: 'PROCESSING',
    updated_at: iso(startedAt),
    at_rkey: newTid(random, startedAt),
  };
}

function statusOf(random: Random, draft: Draft, now: number) {
  const { user, scheduledAt, length } = draft;
  const isPast = scheduledAt <= now - MINUTE;
  if (isAfterStop(draft)) {
    const isStoppedByNetwork = user.row.status === 'BLOCKED' || !user.row.is_active;
    return isPast && isStoppedByNetwork && random.chance(0.5) ? 'FAILED' : 'CANCELLED';
  }
  if (!isPast) return random.chance(0.06) ? 'CANCELLED' : 'PENDING';
  if (length > NETWORK_MAX_LENGTH) return 'FAILED';
  return random.weighted([
    ['COMPLETED', 925],
    ['FAILED', 38],
    ['CANCELLED', 37],
  ] as const);
}

function isAfterStop({ user, scheduledAt }: Draft): boolean {
  return user.stoppedAt !== null && scheduledAt > user.stoppedAt;
}

const nothing = { executed_at: null, at_uri: null, at_rkey: null, error_msg: null };

function completed(random: Random, { user, scheduledAt, pictures }: Draft, now: number): Outcome {
  const startedAt = scheduledAt + random.int(250, 1800);
  const rkey = newTid(random, startedAt);
  // Uploading pictures takes its time; now and then the network asks to wait.
  const wait = random.chance(0.03) ? random.int(20_000, 240_000) : 0;
  const upload = pictures * random.int(250, 1100);
  const executedAt = Math.min(now, startedAt + random.int(180, 900) + upload + wait);
  return {
    ...nothing,
    status: 'COMPLETED',
    updated_at: iso(executedAt),
    executed_at: iso(executedAt),
    at_uri: `at://${user.row.did}/app.bsky.feed.post/${rkey}`,
    at_rkey: rkey,
  };
}

function failed(random: Random, draft: Draft, now: number): Outcome {
  const retries = random.chance(0.3) ? 5 * MINUTE : 0;
  const failedAt = Math.min(now, draft.scheduledAt + random.int(700, 9000) + retries);
  return {
    ...nothing,
    status: 'FAILED',
    updated_at: iso(failedAt),
    at_rkey: newTid(random, draft.scheduledAt + 400),
    error_msg: failureOf(random, draft),
  };
}

function cancelled(random: Random, { user, scheduledAt, createdAt }: Draft, now: number): Outcome {
  const latest = Math.min(scheduledAt, now) - 1000;
  const isByStop = user.stoppedAt !== null && user.stoppedAt < latest;
  const at = isByStop ? user.stoppedAt : createdAt + (latest - createdAt) * random.unit();
  return {
    ...nothing,
    status: 'CANCELLED',
    updated_at: iso(Math.max(createdAt, Math.round(at ?? createdAt))),
  };
}

function pending(random: Random, { createdAt }: Draft, now: number): Outcome {
  const isEdited = random.chance(0.2);
  const at = isEdited ? Math.min(now - MINUTE, createdAt + random.int(2, 600) * MINUTE) : createdAt;
  return { ...nothing, status: 'PENDING', updated_at: iso(Math.max(createdAt, at)) };
}

/** The network's own words where it gives any, else what the connection reported. */
function failureOf(random: Random, draft: Draft): string {
  const { user, length, pictures } = draft;
  if (length > NETWORK_MAX_LENGTH) {
    return `InvalidRequest: Invalid app.bsky.feed.post record: grapheme too big (maximum 300, got ${length}) at $.record.text`;
  }
  if (isAfterStop(draft)) {
    return user.row.status === 'BLOCKED'
      ? 'AccountTakedown: Account has been taken down'
      : 'AccountDeactivated: Account is deactivated';
  }
  if (pictures > 0 && random.chance(0.45)) {
    return random.pick([
      `BlobNotFound: Could not find blob: ${newBlobCid(random)}`,
      'PayloadTooLarge: request entity too large',
      `InvalidRequest: blob too big (maximum 2000000, got ${random.int(2_000_001, 6_400_000)}) at $.record.embed.images[0].image`,
    ]);
  }
  return random.weighted([
    [
      'ExpiredToken: Token has expired; the account must be connected again before anything can be published',
      26,
    ],
    ['InvalidToken: Token could not be verified', 8],
    ['AuthenticationRequired: Invalid identifier or password', 10],
    ['RateLimitExceeded: Rate Limit Exceeded', 16],
    ['UpstreamTimeout: Upstream service did not answer in time', 12],
    ['UpstreamFailure: Upstream service unreachable', 9],
    ['InternalServerError: Internal Server Error', 9],
    ['fetch failed: connect ETIMEDOUT', 6],
    ['fetch failed: getaddrinfo EAI_AGAIN', 4],
    ['ScopeMissingError: Missing required scope "repo:app.bsky.feed.post?action=create"', 5],
    ['AccountNotFound: Account not found on this server', 4],
    [`InvalidSwap: Record was at ${newBlobCid(random)}`, 3],
  ]);
}
