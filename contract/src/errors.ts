import * as z from 'zod/mini';
import { SIGN_IN_ERRORS } from './me/sign-in-errors.ts';
import { NETWORK_LIMITS } from './network.ts';
import { PICTURE_MAX_MB, PICTURE_TIME_LIMIT_SECONDS } from './pictures.ts';

/**
 * The sentences by HTTP status and code. Codes are stable; sentences that the specification names are
 * word for word its own.
 */
const MESSAGES = {
  400: {
    invalid_input: 'The request is not valid',
    malformed_json: 'The request body is not valid JSON',
    wrong_current_password: 'Current password is incorrect',
    weak_password:
      'This password is too easy to guess. Avoid common passwords, your own name and the name of this service',
  },
  401: {
    unauthenticated: 'Sign in to continue',
    session_ended: 'Your session has ended. Sign in again',
    invalid_credentials: 'Invalid username or password',
    token_ended: 'This API token is unknown, was revoked or has expired. Create another one',
  },
  403: {
    right_missing: 'This API token may not make this call',
    session_required: 'An API token cannot do this. Sign in and do it there',
    member_off: 'This member is blocked or inactive, so nothing can be done for them',
    forbidden_origin: 'Requests from this site are not allowed',
    member_suspended:
      'Your account is suspended here. You can look, but change nothing. Ask the operator of this service',
    keyword_refused: SIGN_IN_ERRORS.wrong_keyword,
  },
  404: {
    not_found: 'Not found',
    user_not_found: 'User not found',
    post_not_found: 'Post not found',
    plan_not_found: 'Plan not found',
    ticket_not_found: 'Ticket not found',
    assignment_not_found: 'Assignment not found',
    currency_not_found: 'Currency not found',
    audit_entry_not_found: 'Audit entry not found',
    bulk_change_not_found: 'Change not found',
    api_token_not_found: 'API token not found',
    member_not_found: 'No member has this DID',
    access_keyword_not_found: 'Access keyword not found',
    handle_not_found: 'There is no account with this handle. Look at its spelling',
    media_not_found: 'Picture not found',
    ticket_code_unknown: 'There is no ticket with this code. Check the code and try again',
  },
  409: {
    post_status_final: 'The status of a completed or failed post cannot be changed',
    post_status_same: 'The post already has this status',
    post_not_cancellable: 'Only a pending or processing post can be cancelled',
    post_not_retryable: 'Only a failed post whose cause allows it can be retried',
    post_already_published: 'The post is published already, so it was not retried',
    post_already_retried: 'The post was retried already',
    post_outcome_unknown: 'The host does not say whether the post is published. Try again later',
    ticket_not_revocable: 'Only an unused ticket can be revoked',
    assignment_not_revocable: 'Only an active assignment can be revoked',
    bulk_preview_expired: 'This preview has expired. Look again',
    bulk_set_changed: 'Other rows match than in the preview. Look again',
    bulk_change_ended: 'This change has ended already',
    service_not_suspended: 'The service is not suspended',
    waiting_posts_changed: 'Other posts wait than in the preview. Look again',
    plan_name_taken: 'A plan with this name already exists',
    currency_code_taken: 'A currency with this code already exists',
    currency_decimals_in_use:
      'Plans have prices with more decimal places in this currency. Change those prices first',
    currency_in_use:
      'Some active plans are priced only in this currency. Add another price or deactivate them first',
    plan_price_inactive: 'A paid plan needs a monthly price in at least one active currency',
    limit_reached: 'Your plan does not allow this',
    may_not_schedule:
      'You cannot schedule new posts. What is scheduled already goes out. Ask the operator of this service',
    post_not_editable: 'Only a post that still waits can be changed',
    post_being_published: 'The post is being published right now. Try again in a moment',
    post_unconfirmed:
      'We could not confirm your post. Look at your profile first, and retry only if it is not there',
    ticket_revoked: 'This ticket was taken back. Ask for another one',
    ticket_expired: 'This ticket can no longer be redeemed: its time is over',
    ticket_used_up: 'This ticket has been redeemed as often as it may be',
    ticket_already_redeemed: 'You have redeemed this ticket already',
    upgrade_prohibited: 'You cannot redeem tickets at the moment. Ask the operator of this service',
    entry_final: 'This change cannot be reversed',
    entry_superseded: 'Something newer has changed the same fields',
    request_in_progress: 'The same request is still being worked on. Wait a moment and try again',
    too_many_tokens: 'There are too many API tokens. Revoke one first',
    sign_in_unfinished: 'This sign-in has not come back, was asked for before, or is another one',
    access_keyword_taken: 'This access keyword already exists',
    access_keyword_revoked: 'This access keyword was revoked already',
    still_publishing:
      'A post is being published right now. Wait a minute or cancel it, then try again',
    conflict: 'Something else changed at the same moment. Reload and try again',
  },
  412: {
    changed_elsewhere: 'This plan was changed by someone else. Reload and try again.',
    currency_changed_elsewhere: 'This currency was changed by someone else. Reload and try again.',
    user_changed_elsewhere: 'This user was changed by someone else. Reload and try again.',
    post_changed_elsewhere: 'This post was changed by someone else. Reload and try again.',
    settings_changed_elsewhere: 'The settings were changed by someone else. Reload and try again.',
    handover_changed_elsewhere:
      'The hand-over note was changed by someone else. Reload and try again.',
  },
  413: {
    body_too_large: 'The request is too large',
    media_too_large: `The picture is too large: the network takes at most ${NETWORK_LIMITS.imageBytes / 1_000_000} MB`,
  },
  415: {
    unsupported_media_type: 'The request body must be sent as application/json',
    media_type_refused: 'Upload a PNG, JPEG or WebP picture',
  },
  421: {
    misdirected_host: 'This host name is not served here',
  },
  422: {
    key_used_otherwise: 'This Idempotency-Key was used for a different request',
    // Pictures of other hosts. Not 5xx: the other host is at fault, and the alerts watch this server.
    picture_address_invalid:
      'Pictures are loaded only from http and https addresses without a user name, a password or a port',
    picture_address_private:
      'This address leads into a private network, so the picture was not loaded',
    picture_unreachable: 'The host of this picture cannot be reached. Try again later',
    picture_not_sent: 'The host did not send this picture',
    picture_redirects: 'The host redirects too often, so the picture was not loaded',
    picture_too_large: `The picture is larger than ${PICTURE_MAX_MB} MB, so it was not loaded`,
    picture_too_slow: `The picture did not arrive within ${PICTURE_TIME_LIMIT_SECONDS} seconds. Try again later`,
    picture_type_refused: 'The host did not send a PNG, JPEG, GIF, WebP or AVIF picture',
    media_refused: 'This file cannot be used as a picture',
    link_address_invalid:
      'Link cards are made only of https addresses without a user name, a password or a port',
    link_address_private:
      'This address leads into a private network, so there is no link card for it',
    link_unreachable: 'This page cannot be reached. Try again later',
    link_not_sent: 'The host did not send this page',
    link_redirects: 'The host redirects too often, so there is no link card',
    link_too_slow: 'The page did not arrive in time. Try again later',
    link_not_a_page: 'There is no web page at this address',
  },
  429: {
    too_many_requests: 'Too many attempts. Wait a moment and try again',
    media_busy: 'Several of your pictures are on their way already. Try again in a moment',
  },
  500: {
    internal: 'Internal server error',
  },
  502: {
    publish_failed: 'Failed to publish plans',
    upstream_failed: 'The service behind the console did not answer',
  },
  503: {
    pictures_busy: 'Several pictures are being loaded already. Try again in a moment',
    service_suspended: 'The service is paused. Try again later',
    sign_in_off: 'Signing in is not possible here: this server is connected to no network',
    host_unreachable: 'The network cannot be reached. Try again in a moment',
    unavailable: 'Service temporarily unavailable',
  },
} as const satisfies Record<number, Record<string, string>>;

type Messages = typeof MESSAGES;
export type ErrorCode = { [Status in keyof Messages]: keyof Messages[Status] }[keyof Messages];
type Catalogue = Readonly<Record<ErrorCode, { status: number; message: string }>>;

// The mark lets a page that needs none of the sentences leave them out.
export const ERRORS = /* @__PURE__ */ catalogueOf(MESSAGES);

function catalogueOf(messages: Messages): Catalogue {
  const entries = Object.entries(messages).flatMap(([status, sentences]) =>
    Object.entries(sentences).map(([code, message]) => [code, { status: Number(status), message }]),
  );
  return Object.fromEntries(entries) as Catalogue; // entries lose their keys' names
}

export const errorBody = z.object({
  message: z.string(),
  code: z.string(),
  requestId: z.string(),
  issues: z.optional(z.array(z.object({ path: z.string(), message: z.string() }))),
});
export type ErrorBody = z.output<typeof errorBody>;
