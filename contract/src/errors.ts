import * as z from 'zod/mini';
import { NETWORK_LIMITS } from './network.ts';
import { PICTURE_MAX_MB, PICTURE_TIME_LIMIT_SECONDS } from './pictures.ts';

/** Why a sign-in ended at `/me` instead of inside, as `?error=` of that page. */
export const SIGN_IN_ERRORS = {
  refused: 'You did not allow access, so you are not signed in.',
  closed_beta: 'This service is in closed beta. You need an access keyword to join.',
  wrong_keyword: 'This access keyword is not valid any more. Ask for another one.',
  blocked: 'Your account cannot be used here. Ask the operator of this service.',
  suspended: 'The service is paused. You can sign in again later.',
  expired: 'This sign-in took too long or was used before. Try again.',
  unreachable: 'Your account host cannot be reached. Try again later.',
} as const;
export type SignInError = keyof typeof SIGN_IN_ERRORS;

/**
 * Every error the server can answer: stable machine word, HTTP status, sentence for the reader.
 * Sentences that the specification or the decisions name are word for word theirs.
 */
export const ERRORS = {
  invalid_input: { status: 400, message: 'The request is not valid' },
  malformed_json: { status: 400, message: 'The request body is not valid JSON' },
  wrong_current_password: { status: 400, message: 'Current password is incorrect' },
  weak_password: {
    status: 400,
    message:
      'This password is too easy to guess. Avoid common passwords, your own name and the name of this service',
  },

  unauthenticated: { status: 401, message: 'Sign in to continue' },
  session_ended: { status: 401, message: 'Your session has ended. Sign in again' },
  invalid_credentials: { status: 401, message: 'Invalid username or password' },

  token_ended: {
    status: 401,
    message: 'This API token is unknown, was revoked or has expired. Create another one',
  },

  right_missing: { status: 403, message: 'This API token may not make this call' },
  session_required: {
    status: 403,
    message: 'An API token cannot do this. Sign in and do it there',
  },
  member_off: {
    status: 403,
    message: 'This member is blocked or inactive, so nothing can be done for them',
  },
  forbidden_origin: { status: 403, message: 'Requests from this site are not allowed' },
  member_suspended: {
    status: 403,
    message:
      'Your account is suspended here. You can look, but change nothing. Ask the operator of this service',
  },
  keyword_refused: { status: 403, message: SIGN_IN_ERRORS.wrong_keyword },

  not_found: { status: 404, message: 'Not found' },
  user_not_found: { status: 404, message: 'User not found' },
  post_not_found: { status: 404, message: 'Post not found' },
  plan_not_found: { status: 404, message: 'Plan not found' },
  ticket_not_found: { status: 404, message: 'Ticket not found' },
  assignment_not_found: { status: 404, message: 'Assignment not found' },
  currency_not_found: { status: 404, message: 'Currency not found' },
  audit_entry_not_found: { status: 404, message: 'Audit entry not found' },
  bulk_change_not_found: { status: 404, message: 'Change not found' },
  api_token_not_found: { status: 404, message: 'API token not found' },
  member_not_found: { status: 404, message: 'No member has this DID' },
  access_keyword_not_found: { status: 404, message: 'Access keyword not found' },
  handle_not_found: {
    status: 404,
    message: 'There is no account with this handle. Look at its spelling',
  },
  media_not_found: { status: 404, message: 'Picture not found' },
  ticket_code_unknown: {
    status: 404,
    message: 'There is no ticket with this code. Check the code and try again',
  },

  post_status_final: {
    status: 409,
    message: 'The status of a completed or failed post cannot be changed',
  },
  post_status_same: { status: 409, message: 'The post already has this status' },
  post_not_cancellable: {
    status: 409,
    message: 'Only a pending or processing post can be cancelled',
  },
  post_not_retryable: {
    status: 409,
    message: 'Only a failed post whose cause allows it can be retried',
  },
  post_already_published: {
    status: 409,
    message: 'The post is published already, so it was not retried',
  },
  post_already_retried: { status: 409, message: 'The post was retried already' },
  post_outcome_unknown: {
    status: 409,
    message: 'The host does not say whether the post is published. Try again later',
  },
  ticket_not_revocable: { status: 409, message: 'Only an unused ticket can be revoked' },
  assignment_not_revocable: { status: 409, message: 'Only an active assignment can be revoked' },
  bulk_preview_expired: { status: 409, message: 'This preview has expired. Look again' },
  bulk_set_changed: { status: 409, message: 'Other rows match than in the preview. Look again' },
  bulk_change_ended: { status: 409, message: 'This change has ended already' },
  service_not_suspended: { status: 409, message: 'The service is not suspended' },
  waiting_posts_changed: {
    status: 409,
    message: 'Other posts wait than in the preview. Look again',
  },
  plan_name_taken: { status: 409, message: 'A plan with this name already exists' },
  currency_code_taken: { status: 409, message: 'A currency with this code already exists' },
  currency_decimals_in_use: {
    status: 409,
    message:
      'Plans have prices with more decimal places in this currency. Change those prices first',
  },
  currency_in_use: {
    status: 409,
    message:
      'Some active plans are priced only in this currency. Add another price or deactivate them first',
  },
  plan_price_inactive: {
    status: 409,
    message: 'A paid plan needs a monthly price in at least one active currency',
  },
  // For the people who schedule.
  limit_reached: { status: 409, message: 'Your plan does not allow this' },
  may_not_schedule: {
    status: 409,
    message:
      'You cannot schedule new posts. What is scheduled already goes out. Ask the operator of this service',
  },
  post_not_editable: { status: 409, message: 'Only a post that still waits can be changed' },
  post_being_published: {
    status: 409,
    message: 'The post is being published right now. Try again in a moment',
  },
  post_unconfirmed: {
    status: 409,
    message:
      'We could not confirm your post. Look at your profile first, and retry only if it is not there',
  },
  ticket_revoked: { status: 409, message: 'This ticket was taken back. Ask for another one' },
  ticket_expired: {
    status: 409,
    message: 'This ticket can no longer be redeemed: its time is over',
  },
  ticket_used_up: { status: 409, message: 'This ticket has been redeemed as often as it may be' },
  ticket_already_redeemed: { status: 409, message: 'You have redeemed this ticket already' },
  upgrade_prohibited: {
    status: 409,
    message: 'You cannot redeem tickets at the moment. Ask the operator of this service',
  },
  entry_final: { status: 409, message: 'This change cannot be reversed' },
  entry_superseded: { status: 409, message: 'Something newer has changed the same fields' },
  request_in_progress: {
    status: 409,
    message: 'The same request is still being worked on. Wait a moment and try again',
  },
  too_many_tokens: { status: 409, message: 'There are too many API tokens. Revoke one first' },
  sign_in_unfinished: {
    status: 409,
    message: 'This sign-in has not come back, was asked for before, or is another one',
  },
  access_keyword_taken: { status: 409, message: 'This access keyword already exists' },
  access_keyword_revoked: { status: 409, message: 'This access keyword was revoked already' },
  still_publishing: {
    status: 409,
    message: 'A post is being published right now. Wait a minute or cancel it, then try again',
  },
  conflict: {
    status: 409,
    message: 'Something else changed at the same moment. Reload and try again',
  },

  changed_elsewhere: {
    status: 412,
    message: 'This plan was changed by someone else. Reload and try again.',
  },
  currency_changed_elsewhere: {
    status: 412,
    message: 'This currency was changed by someone else. Reload and try again.',
  },
  user_changed_elsewhere: {
    status: 412,
    message: 'This user was changed by someone else. Reload and try again.',
  },
  post_changed_elsewhere: {
    status: 412,
    message: 'This post was changed by someone else. Reload and try again.',
  },
  settings_changed_elsewhere: {
    status: 412,
    message: 'The settings were changed by someone else. Reload and try again.',
  },
  handover_changed_elsewhere: {
    status: 412,
    message: 'The hand-over note was changed by someone else. Reload and try again.',
  },
  body_too_large: { status: 413, message: 'The request is too large' },
  unsupported_media_type: {
    status: 415,
    message: 'The request body must be sent as application/json',
  },
  media_too_large: {
    status: 413,
    message: `The picture is too large: the network takes at most ${NETWORK_LIMITS.imageBytes / 1_000_000} MB`,
  },
  media_type_refused: { status: 415, message: 'Upload a PNG, JPEG or WebP picture' },
  misdirected_host: { status: 421, message: 'This host name is not served here' },
  key_used_otherwise: {
    status: 422,
    message: 'This Idempotency-Key was used for a different request',
  },
  // Pictures of other hosts. Not 5xx: the other host is at fault, and the alerts watch this server.
  picture_address_invalid: {
    status: 422,
    message:
      'Pictures are loaded only from http and https addresses without a user name, a password or a port',
  },
  picture_address_private: {
    status: 422,
    message: 'This address leads into a private network, so the picture was not loaded',
  },
  picture_unreachable: {
    status: 422,
    message: 'The host of this picture cannot be reached. Try again later',
  },
  picture_not_sent: { status: 422, message: 'The host did not send this picture' },
  picture_redirects: {
    status: 422,
    message: 'The host redirects too often, so the picture was not loaded',
  },
  picture_too_large: {
    status: 422,
    message: `The picture is larger than ${PICTURE_MAX_MB} MB, so it was not loaded`,
  },
  picture_too_slow: {
    status: 422,
    message: `The picture did not arrive within ${PICTURE_TIME_LIMIT_SECONDS} seconds. Try again later`,
  },
  picture_type_refused: {
    status: 422,
    message: 'The host did not send a PNG, JPEG, GIF, WebP or AVIF picture',
  },
  media_refused: { status: 422, message: 'This file cannot be used as a picture' },
  // Pages of other hosts, for link cards.
  link_address_invalid: {
    status: 422,
    message:
      'Link cards are made only of https addresses without a user name, a password or a port',
  },
  link_address_private: {
    status: 422,
    message: 'This address leads into a private network, so there is no link card for it',
  },
  link_unreachable: { status: 422, message: 'This page cannot be reached. Try again later' },
  link_not_sent: { status: 422, message: 'The host did not send this page' },
  link_redirects: {
    status: 422,
    message: 'The host redirects too often, so there is no link card',
  },
  link_too_slow: { status: 422, message: 'The page did not arrive in time. Try again later' },
  link_not_a_page: { status: 422, message: 'There is no web page at this address' },
  too_many_requests: { status: 429, message: 'Too many attempts. Wait a moment and try again' },
  media_busy: {
    status: 429,
    message: 'Several of your pictures are on their way already. Try again in a moment',
  },

  internal: { status: 500, message: 'Internal server error' },
  publish_failed: { status: 502, message: 'Failed to publish plans' },
  upstream_failed: { status: 502, message: 'The service behind the console did not answer' },
  pictures_busy: {
    status: 503,
    message: 'Several pictures are being loaded already. Try again in a moment',
  },
  service_suspended: { status: 503, message: 'The service is paused. Try again later' },
  sign_in_off: {
    status: 503,
    message: 'Signing in is not possible here: this server is connected to no network',
  },
  host_unreachable: {
    status: 503,
    message: 'The network cannot be reached. Try again in a moment',
  },
  unavailable: { status: 503, message: 'Service temporarily unavailable' },
} as const satisfies Record<string, { status: number; message: string }>;

export type ErrorCode = keyof typeof ERRORS;

export const errorBody = z.object({
  message: z.string(),
  code: z.string(),
  requestId: z.string(),
  issues: z.optional(z.array(z.object({ path: z.string(), message: z.string() }))),
});
export type ErrorBody = z.output<typeof errorBody>;
