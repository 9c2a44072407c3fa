// A page that shows no sentence loads the words without causes.ts.

/** The owner can remove the cause: `person` is the member, `us` the operators of this service. */
export const CAUSE_OWNERS = ['person', 'network', 'us'] as const;
export type CauseOwner = (typeof CAUSE_OWNERS)[number];

export const CAUSE_WORDS = [
  'network_unreachable',
  'host_down',
  'host_slow',
  'rate_limited_account',
  'rate_limited_host',
  'token_expired',
  'reconnect',
  'scope_missing',
  'account_deactivated',
  'taken_down',
  'moved',
  'account_gone',
  'invalid_record',
  'too_long',
  'too_many_images',
  'image_too_large',
  'image_type',
  'media_missing',
  'blob_refused',
  'parent_gone',
  'altered',
  'unknown_outcome',
  'too_late',
  'quota',
  'published_after_cancel',
  'internal',
] as const;
export type Cause = (typeof CAUSE_WORDS)[number];

export const HOLD_WORDS = [
  'user_off',
  'closed_beta',
  'reconnect',
  'account_off',
  'host_down',
  'rate_limited',
  'quota',
  'before_engine',
  'catch_up',
] as const;
export type Hold = (typeof HOLD_WORDS)[number];
