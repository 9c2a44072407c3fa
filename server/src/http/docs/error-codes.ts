import type { Endpoint } from '@meridian/contract/endpoint';
import type { ErrorCode } from '@meridian/contract/errors';

const OF_EVERY_CALL: readonly ErrorCode[] = [
  'misdirected_host',
  'forbidden_origin',
  'too_many_requests',
  'internal',
  'unavailable',
];
const OF_A_SESSION: readonly ErrorCode[] = ['unauthenticated', 'session_ended'];
const OF_A_TOKEN: readonly ErrorCode[] = ['token_ended', 'right_missing', 'session_required'];
const OF_A_MEMBER: readonly ErrorCode[] = ['member_suspended', 'service_suspended'];
const OF_A_NAMED_MEMBER: readonly ErrorCode[] = ['member_not_found', 'member_off'];
const OF_A_BODY: readonly ErrorCode[] = [
  'malformed_json',
  'body_too_large',
  'unsupported_media_type',
];
const OF_A_KEY: readonly ErrorCode[] = ['request_in_progress', 'key_used_otherwise'];

const OF_SCHEDULING: readonly ErrorCode[] = [
  'limit_reached',
  'may_not_schedule',
  'service_suspended',
];

const NOT_FOUND: Readonly<Record<string, ErrorCode>> = {
  users: 'user_not_found',
  posts: 'post_not_found',
  plans: 'plan_not_found',
  tickets: 'ticket_not_found',
  currencies: 'currency_not_found',
  audit: 'audit_entry_not_found',
  'bulk-changes': 'bulk_change_not_found',
  media: 'media_not_found',
  'access-keywords': 'access_keyword_not_found',
  'api-tokens': 'api_token_not_found',
  tokens: 'api_token_not_found',
};

const CHANGED: Readonly<Record<string, ErrorCode>> = {
  settingsUpdate: 'settings_changed_elsewhere',
  suspensionUpdate: 'settings_changed_elsewhere',
  handoverUpdate: 'handover_changed_elsewhere',
  userUpdate: 'user_changed_elsewhere',
  userRestrict: 'user_changed_elsewhere',
  postUpdate: 'post_changed_elsewhere',
  postCancel: 'post_changed_elsewhere',
  postDelete: 'post_changed_elsewhere',
  mePostUpdate: 'post_changed_elsewhere',
  planUpdate: 'changed_elsewhere',
  planSetVisibility: 'changed_elsewhere',
  planSetActive: 'changed_elsewhere',
  currencyUpdate: 'currency_changed_elsewhere',
  currencyActivate: 'currency_changed_elsewhere',
  currencyDeactivate: 'currency_changed_elsewhere',
};

const TAGGED = new Set([
  'settingsGet',
  'userGet',
  'postGet',
  'planGet',
  'planCreate',
  'currencyGet',
  'currencyCreate',
]);

const OWN: Readonly<Record<string, readonly ErrorCode[]>> = {
  authLogin: ['invalid_credentials'],
  authPassword: ['wrong_current_password', 'weak_password'],
  assignmentRevoke: ['assignment_not_found', 'assignment_not_revocable'],
  postUpdate: ['post_status_final', 'post_status_same', 'conflict'],
  postCancel: ['post_not_cancellable', 'conflict'],
  postRetry: [
    'post_not_retryable',
    'post_already_published',
    'post_already_retried',
    'post_outcome_unknown',
  ],
  ticketRevoke: ['ticket_not_revocable'],
  planCreate: ['plan_name_taken', 'plan_price_inactive', 'conflict'],
  planUpdate: ['plan_name_taken', 'plan_price_inactive', 'conflict'],
  planSetActive: ['plan_price_inactive', 'conflict'],
  planPublish: ['plan_price_inactive', 'publish_failed'],
  currencyCreate: ['currency_code_taken'],
  currencyUpdate: ['currency_decimals_in_use', 'currency_in_use', 'conflict'],
  currencyDeactivate: ['currency_in_use', 'conflict'],
  auditReverse: [
    'entry_final',
    'entry_superseded',
    'post_status_final',
    'plan_name_taken',
    'plan_price_inactive',
    'currency_decimals_in_use',
    'currency_in_use',
    'conflict',
  ],
  accessKeywordCreate: ['access_keyword_taken'],
  accessKeywordRevoke: ['access_keyword_revoked'],
  apiTokenCreate: ['too_many_tokens'],
  meTokenCreate: ['too_many_tokens'],
  meSignIn: [
    'unauthenticated',
    'handle_not_found',
    'keyword_refused',
    'sign_in_off',
    'host_unreachable',
  ],
  meSignInResult: ['unauthenticated', 'sign_in_unfinished'],
  meDelete: ['still_publishing'],
  mePostCreate: OF_SCHEDULING,
  mePostUpdate: [...OF_SCHEDULING, 'post_not_editable'],
  mePostCancel: ['post_not_cancellable'],
  mePostDelete: ['post_being_published'],
  mePostRetry: [
    ...OF_SCHEDULING,
    'post_not_retryable',
    'post_already_published',
    'post_already_retried',
    'post_outcome_unknown',
    'post_unconfirmed',
  ],
  meMediaUpload: [
    'media_too_large',
    'media_type_refused',
    'media_refused',
    'media_busy',
    'limit_reached',
  ],
  meLinkCard: [
    'link_address_invalid',
    'link_address_private',
    'link_unreachable',
    'link_not_sent',
    'link_redirects',
    'link_too_slow',
    'link_not_a_page',
  ],
  meTicketRedeem: [
    'ticket_code_unknown',
    'ticket_revoked',
    'ticket_expired',
    'ticket_used_up',
    'ticket_already_redeemed',
    'upgrade_prohibited',
    'may_not_schedule',
  ],
  bulkStart: ['bulk_preview_expired', 'bulk_set_changed'],
  serviceResume: ['service_not_suspended', 'waiting_posts_changed'],
  bulkStop: ['bulk_change_ended'],
  pictureLoad: [
    'picture_address_invalid',
    'picture_address_private',
    'picture_unreachable',
    'picture_not_sent',
    'picture_redirects',
    'picture_too_large',
    'picture_too_slow',
    'picture_type_refused',
    'pictures_busy',
  ],
};

export const OF_NO_CALL: readonly ErrorCode[] = ['not_found', 'upstream_failed'];

export function takesIfMatch({ name }: Endpoint): boolean {
  return name in CHANGED;
}

export function hasEtag({ name }: Endpoint): boolean {
  return TAGGED.has(name) || (name in CHANGED && name !== 'postDelete');
}

export function errorCodesOf(endpoint: Endpoint): ErrorCode[] {
  const { name, path, method, credential, right, takesKey } = endpoint;
  const notFound = path.includes('{id}') ? NOT_FOUND[path.split('/')[3] ?? ''] : undefined;
  const changed = CHANGED[name];
  return [
    'invalid_input',
    ...(method === 'GET' ? [] : OF_A_BODY),
    ...(credential === 'none' ? [] : OF_A_SESSION),
    ...(credential === 'none' && right === null ? [] : OF_A_TOKEN),
    ...(credential === 'cookie' ? OF_A_MEMBER : []),
    ...(credential === 'cookie' && right !== null ? OF_A_NAMED_MEMBER : []),
    ...(notFound === undefined ? [] : [notFound]),
    ...(OWN[name] ?? []),
    ...(changed === undefined ? [] : [changed]),
    ...(takesKey ? OF_A_KEY : []),
    ...OF_EVERY_CALL,
  ];
}
