import { operatorSentence } from '@meridian/contract/causes';
import type { Cause, Hold } from '@meridian/contract/cause-words';
import type { CauseFacts } from '@meridian/contract/causes';
import type { ClaimedPost } from './claimed-post.ts';
import { decide, lateFacts } from './decide.ts';
import type { Situation, Step } from './decide.ts';
import type { Journalled } from './journal.store.ts';
import type { Entry as LaneEntry } from './lane.ts';
import type { FailedCall, Unpublished } from './settle.store.ts';

type Reason = { hold?: Hold; cause?: Cause; facts?: CauseFacts; call?: FailedCall | undefined };
type Refusal = Pick<Unpublished, 'status' | 'next' | 'outcome' | 'isUnsent'> & Reason;

function unpublished({ id: postId, attempt }: ClaimedPost, refusal: Refusal): Unpublished {
  const { status, next, outcome, isUnsent, hold = null, cause = null, call = null } = refusal;
  const sentence = cause === null ? null : operatorSentence(cause, refusal.facts);
  return { postId, attempt, status, next, outcome, isUnsent, hold, cause, sentence, call };
}

/** After a call that did not publish it. */
export function afterStep(
  post: ClaimedPost,
  step: Extract<Step, { kind: 'retry' | 'hold' | 'fail' }>,
  about: { isUnsent: boolean; call?: FailedCall | undefined; now: number },
): Unpublished {
  const { isUnsent, now } = about;
  const outcome = null;
  if (step.kind === 'fail') {
    return unpublished(post, { status: 'FAILED', next: 'never', ...about, ...step });
  }
  if (step.kind === 'retry') {
    const next = { inMs: Math.max(0, step.at - now) };
    return unpublished(post, { status: 'PROCESSING', next, outcome, ...about, ...step });
  }
  const status = isUnsent && post.wasPending ? 'PENDING' : 'PROCESSING';
  return unpublished(post, { status, next: 'never', outcome, ...about, ...step });
}

/** Without a call: back to PENDING, unless an earlier attempt may have reached the host. */
export function putOff(
  post: ClaimedPost,
  entry: Journalled | null,
  inMs: number,
  reason: Reason,
): Unpublished {
  const isUnsent = entry?.maybeSent !== true;
  const status = post.wasPending && isUnsent ? 'PENDING' : 'PROCESSING';
  return unpublished(post, { status, next: { inMs }, outcome: null, isUnsent, ...reason });
}

const BY_LANE = {
  host_down: { cause: 'host_down', hold: 'host_down' },
  host_slow: { cause: 'host_slow', hold: 'host_down' },
  network_unreachable: { cause: 'network_unreachable', hold: 'host_down' },
  rate_limited_host: { cause: 'rate_limited_host', hold: 'rate_limited' },
  account_limited: { cause: 'rate_limited_account', hold: 'rate_limited' },
} as const;

/** Without it, a post that is late by now would fail although its turn had come. */
const turnOf = ({ hasTurn, wasPending }: ClaimedPost): Reason =>
  hasTurn && wasPending ? { hold: 'catch_up' } : {};

/** The lane of its host takes no call now. */
export function putOffByLane(
  post: ClaimedPost,
  entry: Journalled,
  { inMs, because }: LaneEntry & { kind: 'put_off' },
  situation: Situation,
): Unpublished {
  if (because === 'busy') return putOff(post, entry, inMs, turnOf(post));
  const { now } = situation;
  const { cause, hold } = BY_LANE[because];
  const facts = { host: post.host, time: hold === 'host_down' ? null : new Date(now + inMs) };
  const reason = { cause, facts } as const;
  // Past its deadline it would wait for as long as the host is down.
  const step = decide({ kind: 'put_off', until: now + inMs, ...reason }, situation);
  if (step.kind === 'fail') return afterStep(post, step, { isUnsent: !entry.maybeSent, now });
  const at = step.kind === 'retry' ? step.at : now + inMs;
  return putOff(post, entry, at - now, { hold, ...reason });
}

/** Stopped by a switch, or because the engine stops. */
export function givenBack(post: ClaimedPost, entry: Journalled): Unpublished {
  const isUnsent = !entry.maybeSent;
  const turn = turnOf(post);
  return isUnsent && post.wasPending
    ? unpublished(post, { status: 'PENDING', next: 'planned', outcome: null, isUnsent, ...turn })
    : putOff(post, entry, 0, {});
}

/** Without a call: it was never sent, and is no longer to be. */
export function tooLate(post: ClaimedPost, lateLimitMs: number, now: number): Unpublished {
  const facts = lateFacts(post.scheduledAt.getTime(), now, lateLimitMs);
  const step = { kind: 'fail', outcome: 'refused', cause: 'too_late', facts } as const;
  return afterStep(post, step, { isUnsent: true, now });
}
