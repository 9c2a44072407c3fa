import { CAUSES, failedSentence, isCause, isHold, personSentence } from '@meridian/contract/causes';
import type { CauseRetry } from '@meridian/contract/causes';
import type { Hold } from '@meridian/contract/cause-words';
import type { MyPostRow } from './posts.store.ts';

/** Why a post waits, for its author. */
const WAITS: Record<Hold, string> = {
  user_off: 'Waits until your account here is active again. Ask the operator of this service',
  closed_beta: 'Waits until you have access to the closed beta',
  reconnect: 'Connect your account again. Your posts wait until then',
  account_off: 'Your account is not active on its server. Your posts wait until it is',
  host_down: 'Your server does not respond. Your post goes out when it does',
  rate_limited: 'Your post is delayed by a rate limit. It goes out later',
  quota: "Your plan's posts of this month are used up. Get a larger plan, or choose another month",
  before_engine: 'Waits for the operator of this service',
  catch_up: 'Waits its turn after a pause of the service',
};

/** Causes that say more about a hold than its own sentence; others may be of an earlier attempt. */
const DETAILS: Partial<Record<Hold, readonly string[]>> = {
  reconnect: ['scope_missing', 'moved'],
  account_off: ['account_deactivated'],
  rate_limited: ['rate_limited_host', 'rate_limited_account'],
};

/** What follows the colon of the operator's sentence about these is as useful to the author. */
const EXPLAINED = new Set(['invalid_record', 'too_long', 'too_many_images', 'image_too_large']);

const FINAL = new Set<CauseRetry>(['never', 'by_hand']);

/** The causes that fit a status. Others are of an earlier attempt; a failed post may have any. */
const FITS: Record<Exclude<MyPostRow['status'], 'FAILED'>, (retry: CauseRetry) => boolean> = {
  PENDING: (retry) => !FINAL.has(retry),
  PROCESSING: (retry) => retry === 'backoff',
  COMPLETED: (retry) => FINAL.has(retry),
  CANCELLED: (retry) => FINAL.has(retry),
};

/** Why a post waits or failed, in words for its author; null when there is nothing to say. */
export function sentenceFor({
  status,
  hold,
  cause: word,
  error_msg,
}: Pick<MyPostRow, 'status' | 'hold' | 'cause' | 'error_msg'>): string | null {
  const cause = word !== null && isCause(word) ? word : null;
  if (status === 'FAILED') {
    const sentence = cause === null ? null : failedSentence(cause);
    if (sentence === null) return 'Your post could not be published';
    return sentence + explanationIn(cause, error_msg);
  }
  const fits = cause !== null && FITS[status](CAUSES[cause].retry);
  if (status === 'PENDING' && hold !== null && isHold(hold)) {
    const isDetail = fits && DETAILS[hold]?.includes(cause);
    return (isDetail ? personSentence(cause) : null) ?? WAITS[hold];
  }
  return fits ? personSentence(cause) : null;
}

function explanationIn(cause: string | null, message: string | null): string {
  const at = message?.indexOf(': ') ?? -1;
  return EXPLAINED.has(cause ?? '') && at !== -1 ? (message ?? '').slice(at) : '';
}
