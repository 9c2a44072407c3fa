import { isCause, isHold, personSentence } from '@meridian/contract/causes';
import type { Hold } from '@meridian/contract/cause-words';
import type { MyPostRow } from './posts.store.ts';

/** Why a post waits, for its author. */
const WAITS: Record<Hold, string> = {
  user_off: 'Waits until your account here is active again. Ask the operator of this service',
  closed_beta: 'Waits until you have access to the closed beta',
  reconnect: 'Connect your account again. Your posts wait until then',
  account_off: 'Your account is deactivated. Activate it again, then your posts go out',
  host_down: 'Your server does not respond. Your post goes out when it does',
  rate_limited: 'Your account posted too much. Your post goes out later',
  quota: "Your plan's posts are used up. Your post waits until there is room",
  before_engine: 'Waits for the operator of this service',
  catch_up: 'Waits its turn after a pause of the service',
};

/** Said of causes that are retried, and no longer true of a post that has failed. */
const PROMISE = '. We keep trying';

/** Why a post waits or failed, in words for its author; null when there is nothing to say. */
export function sentenceFor({
  status,
  hold,
  cause,
}: Pick<MyPostRow, 'status' | 'hold' | 'cause'>): string | null {
  const sentence = cause !== null && isCause(cause) ? personSentence(cause) : null;
  if (status === 'PENDING' || status === 'PROCESSING') {
    return hold !== null && isHold(hold) ? WAITS[hold] : sentence;
  }
  if (sentence !== null) return sentence.replace(PROMISE, '');
  return status === 'FAILED' ? 'Your post could not be published' : null;
}
