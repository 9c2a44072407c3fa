import { isCause, isHold, personSentence } from '@meridian/contract/causes';
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

/** Said of causes that are retried, and no longer true of a post that has failed. */
const PROMISE = '. We keep trying';

/** Why a post waits or failed, in words for its author; null when there is nothing to say. */
export function sentenceFor({
  status,
  hold,
  cause,
  error_msg,
}: Pick<MyPostRow, 'status' | 'hold' | 'cause' | 'error_msg'>): string | null {
  const sentence = cause !== null && isCause(cause) ? personSentence(cause) : null;
  if (status === 'PENDING' || status === 'PROCESSING') {
    if (hold === null || !isHold(hold)) return sentence;
    const isDetail = cause !== null && DETAILS[hold]?.includes(cause);
    return (isDetail ? sentence : null) ?? WAITS[hold];
  }
  if (sentence !== null) return sentence.replace(PROMISE, '') + explanationIn(cause, error_msg);
  return status === 'FAILED' ? 'Your post could not be published' : null;
}

function explanationIn(cause: string | null, message: string | null): string {
  const at = message?.indexOf(': ') ?? -1;
  return EXPLAINED.has(cause ?? '') && at !== -1 ? (message ?? '').slice(at) : '';
}
