import * as z from 'zod/mini';
import type { Cause, CauseOwner, Hold } from './cause-words.ts';
import { endpoint } from './endpoint.ts';
import { keysOf } from './fields.ts';
import { post } from './posts.ts';

/** `by_hand` needs an administrator who looks whether the post is out. */
export const CAUSE_RETRIES = ['backoff', 'at_reset', 'once', 'hold', 'never', 'by_hand'] as const;
export type CauseRetry = (typeof CAUSE_RETRIES)[number];

/**
 * In a template `{host|the host}` is a fact with the words used without it, and a part in brackets
 * is left out when one of its facts is missing.
 */
type CauseEntry = {
  owner: CauseOwner;
  retry: CauseRetry;
  operator: string;
  /** The member's sentence; null when they never read of it. */
  person: string | null;
  failed?: string;
  advice: string;
};

const WAIT = 'The engine tries again by itself. A post that has failed can be retried';

export const CAUSES = {
  network_unreachable: {
    owner: 'network',
    retry: 'backoff',
    operator: 'Could not reach {host|the host}',
    person: 'We could not reach your server. We keep trying',
    failed: 'We could not reach your server',
    advice: `${WAIT}. If many hosts are affected, check this server's own connection`,
  },
  host_down: {
    owner: 'network',
    retry: 'backoff',
    operator: '{host|The host} responds with errors[ since {time}][: {reason}]',
    person: 'Your server is having trouble. We keep trying',
    failed: 'Your server is having trouble',
    advice: WAIT,
  },
  host_slow: {
    owner: 'network',
    retry: 'backoff',
    operator: '{host|The host} did not respond in time',
    person: 'Your server is slow. We keep trying',
    failed: 'Your server is slow',
    advice: WAIT,
  },
  rate_limited_account: {
    owner: 'person',
    retry: 'at_reset',
    operator: 'The account has used up its writes on {host|its host}[ until {time}]',
    person: 'Your account posted too much. Your post goes out [at {time}|later]',
    failed: 'Your account posted too much',
    advice: 'The engine waits until the limit resets. A post that has failed can be retried',
  },
  rate_limited_host: {
    owner: 'us',
    retry: 'at_reset',
    operator: '{host|The host} limits requests from our address[ until {time}]',
    person: 'Your post is delayed[ until {time}]',
    failed: 'Your server limits how many posts it takes from this service',
    advice: 'If this happens often, run engines behind more network addresses',
  },
  token_expired: {
    owner: 'us',
    retry: 'once',
    operator: 'The session ran out and was refreshed',
    person: null,
    advice: 'The engine tries again with the new session. A post that has failed can be retried',
  },
  reconnect: {
    owner: 'person',
    retry: 'hold',
    operator: 'The login was revoked or ran out. The user must connect the account again',
    person: 'Connect your account again. Your posts wait until then',
    failed: 'Your account is not connected. Connect it again',
    advice: 'Ask the user to connect the account again',
  },
  scope_missing: {
    owner: 'person',
    retry: 'hold',
    operator: 'The user did not grant the permission to post',
    person: 'Connect your account again and allow posting',
    advice: 'Ask the user to connect the account again and to allow posting',
  },
  account_deactivated: {
    owner: 'person',
    retry: 'hold',
    operator: 'The owner has deactivated the account',
    person: 'Your account is deactivated. Activate it again, then your posts go out',
    failed: 'Your account is deactivated. Activate it again',
    advice: 'Ask the user whether the account will be activated again',
  },
  taken_down: {
    owner: 'network',
    retry: 'never',
    operator: 'Moderators of {host|the host} removed the account',
    person: 'Your account was removed by its server',
    advice: "Cancel the user's other posts, or suspend the user",
  },
  moved: {
    owner: 'person',
    retry: 'hold',
    operator: 'The account is no longer on {host|its host}. The user must connect it again',
    person: 'Your account moved to another server. Connect it again',
    advice: 'Ask the user to connect the account again',
  },
  account_gone: {
    owner: 'person',
    retry: 'never',
    operator: 'The account no longer exists[ on {host}]',
    person: 'Your account was not found',
    advice: 'Ask the user for another account',
  },
  invalid_record: {
    owner: 'us',
    retry: 'never',
    operator: '{host|The network} does not accept the post[: {reason}]',
    person: 'This post breaks a rule of the network[: {reason}]',
    advice: 'Schedule a corrected post. If the rule is new, report it to the developers',
  },
  too_long: {
    owner: 'person',
    retry: 'never',
    operator: 'The text is too long[: {count} {unit}, the network allows {limit}]',
    person: 'Your post is too long[: {count} {unit}, the network allows {limit}]',
    advice: 'Ask the user to shorten the post or to make it a thread',
  },
  too_many_images: {
    owner: 'person',
    retry: 'never',
    operator: 'The post has too many pictures[: {count}, the network allows {limit}]',
    person: 'Your post has too many pictures[: {count}, the network allows {limit}]',
    advice: 'Ask the user to remove pictures',
  },
  image_too_large: {
    owner: 'person',
    retry: 'never',
    operator: 'The picture[ {key}] is too large[: the network allows {limit} bytes]',
    person: 'A picture is too large[: the network allows {limit} bytes]',
    advice: 'Ask the user for a smaller picture',
  },
  image_type: {
    owner: 'person',
    retry: 'never',
    operator: 'The file[ {key}] is not a picture that the network shows',
    person: 'A file is not a picture that the network shows. Use PNG, JPEG, GIF, WebP or AVIF',
    advice: 'Ask the user for a PNG, JPEG, GIF, WebP or AVIF picture',
  },
  media_missing: {
    owner: 'us',
    retry: 'never',
    operator: 'The picture[ {key}] is not in the object store',
    person: 'A picture was lost. Upload it again',
    advice: 'Check the object store. The user has to schedule the post again',
  },
  blob_refused: {
    owner: 'network',
    retry: 'once',
    operator: '{host|The host} does not accept a picture[: {reason}]',
    person: 'Your server did not accept a picture',
    advice: 'Ask the user for another picture',
  },
  parent_gone: {
    owner: 'person',
    retry: 'never',
    operator: 'The post that it replies to or quotes is gone[: {uri}]',
    person: 'The post that you reply to or quote is gone',
    advice: 'Nothing to do: the user may schedule it without the reply or quote',
  },
  altered: {
    owner: 'us',
    retry: 'never',
    operator: 'Another version of the post is published[ at {uri}]',
    person: 'Your post was published in another version. Look at it on your profile',
    advice: 'Compare the published post with this one',
  },
  unknown_outcome: {
    owner: 'network',
    retry: 'by_hand',
    operator: 'The post was sent, but {host|the host} never confirmed it',
    person: 'We could not confirm your post. Look at your profile before you post it again',
    advice: "Look at the user's profile on the network before the post is scheduled again",
  },
  too_late: {
    owner: 'us',
    retry: 'never',
    operator:
      'Not published in time[: {minutes} min late, the limit is {limit} min][. Last cause: {reason}]',
    person: 'Your post could not be published in time',
    advice: 'Ask the user whether the post should still go out, then schedule it again',
  },
  quota: {
    owner: 'person',
    retry: 'hold',
    operator: 'The monthly posts of the {plan|current} plan are used up',
    person: "Your plan's posts are used up[ until {time}]",
    failed: "Your plan's posts were used up",
    advice: 'Assign a larger plan, or ask the user to choose another month (UTC)',
  },
  published_after_cancel: {
    owner: 'us',
    retry: 'never',
    operator: 'Was already published when it was cancelled[: {uri}]',
    person: 'Your post was published before it could be stopped',
    advice: 'The user can delete the post on the network',
  },
  internal: {
    owner: 'us',
    retry: 'backoff',
    operator: 'A fault of this service[, reference {reference}]',
    person: 'There is a fault on our side. We keep trying',
    failed: 'There is a fault on our side',
    advice: 'Search the log for the reference and report the fault to the developers',
  },
} as const satisfies Record<Cause, CauseEntry>;

export const isCause = (word: string): word is Cause => Object.hasOwn(CAUSES, word);

export const HOLDS = {
  user_off: 'Waits until the user is active again',
  closed_beta: 'Waits until the user has access to the closed beta',
  reconnect: 'Waits until the user connects the account again',
  account_off: 'Waits until the account is active on its host again',
  host_down: 'Waits until the host of the account responds again',
  rate_limited: 'Waits until the rate limit resets',
  quota: "Waits until the user's plan allows more posts",
  before_engine: 'Was due before the engine was started. Waits for an administrator',
  catch_up: 'Waits its turn after the suspension: one post per user and schedule interval',
} as const satisfies Record<Hold, string>;

export const isHold = (word: string): word is Hold => Object.hasOwn(HOLDS, word);

export type CauseFacts = {
  readonly [
    name in
      | 'host'
      | 'reason'
      | 'time'
      | 'key'
      | 'uri'
      | 'count'
      | 'unit'
      | 'limit'
      | 'minutes'
      | 'plan'
      | 'reference'
  ]?: string | number | Date | null | undefined;
};

const FACT_MAX = 300;
export const SENTENCE_MAX = 600;

/** A failed post keeps the operator's sentence as its `error_msg`. */
export function operatorSentence(cause: Cause, facts: CauseFacts = {}): string {
  return fill(CAUSES[cause].operator, facts);
}

/** For the member while the post waits; null when there is nothing for them to know. */
export function personSentence(cause: Cause, facts: CauseFacts = {}): string | null {
  const { person } = CAUSES[cause];
  return person === null ? null : fill(person, facts);
}

/** For the member once the post has failed: it promises nothing. */
export function failedSentence(cause: Cause): string | null {
  const { person, failed }: CauseEntry = CAUSES[cause];
  const sentence = failed ?? person;
  return sentence === null ? null : fill(sentence, {});
}

const OPTIONAL = /\[([^[\]|]*)(?:\|([^[\]]*))?\]/gu;
const FACT = /\{(\w+)(?:\|([^{}]*))?\}/gu;

/** Optional parts first, while the template holds no fact: a host's words are never read as one. */
function fill(template: string, facts: CauseFacts): string {
  const has = (part: string) =>
    [...part.matchAll(FACT)].every(([, name]) => factOf(facts, name) !== '');
  return template
    .replaceAll(OPTIONAL, (_, part: string, otherwise = '') => (has(part) ? part : otherwise))
    .replaceAll(FACT, (_, name: string, otherwise = '') => factOf(facts, name) || otherwise)
    .slice(0, SENTENCE_MAX)
    .toWellFormed();
}

/** Marks that hide text or turn its direction; hosts write what they like. */
const HIDDEN = /[\p{Cc}\u200b\u200e\u200f\u2028-\u202e\u2060\u2066-\u2069\ufeff]+/gu;

function factOf(facts: CauseFacts, name: string | undefined): string {
  const value: unknown = Object.entries(facts).find(([fact]) => fact === name)?.[1];
  if (value instanceof Date) return timeOf(value);
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : '';
  if (typeof value !== 'string') return '';
  const text = value
    .slice(0, 2 * FACT_MAX)
    .replaceAll(HIDDEN, ' ')
    .trim();
  return text.length > FACT_MAX ? `${text.slice(0, FACT_MAX - 1).trimEnd()}…` : text;
}

/** `2026-11-16 13:05 UTC` */
function timeOf(time: Date): string {
  return Number.isNaN(time.getTime())
    ? ''
    : `${time.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

export const RETRY_MESSAGES = { failed: 'Failed to retry the post' } as const;

/** Sent again, these would fail for the same reason, or be public twice. */
const FINAL_CAUSES = new Set<Cause>([
  'taken_down',
  'account_gone',
  'invalid_record',
  'too_long',
  'too_many_images',
  'image_too_large',
  'image_type',
  'parent_gone',
  'altered',
  'published_after_cancel',
]);

/** A failure without a known cause does not tell whether the post was sent. */
export function isRetryable(cause: string | null | undefined): cause is Cause {
  return typeof cause === 'string' && isCause(cause) && !FINAL_CAUSES.has(cause);
}

export const RETRYABLE_CAUSES = keysOf(CAUSES).filter(isRetryable);

export const retryCan = {
  retry: (one: Pick<z.output<typeof post>, 'status' | 'cause' | 'at_uri' | 'retried_as'>) =>
    one.status === 'FAILED' && !one.at_uri && !one.retried_as && isRetryable(one.cause),
};

export const postRetry = endpoint({
  name: 'postRetry',
  method: 'POST',
  path: '/api/admin/posts/{id}/retry',
  right: 'posts:write',
  summary: 'Schedule a failed post again as a new one, unless it is published already',
  answer: z.object({ post }),
});
