import * as z from 'zod/mini';
import { PICTURE_MAX_MB, PICTURE_TIME_LIMIT_SECONDS } from './pictures.ts';

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

  forbidden_origin: { status: 403, message: 'Requests from this site are not allowed' },

  not_found: { status: 404, message: 'Not found' },
  user_not_found: { status: 404, message: 'User not found' },
  post_not_found: { status: 404, message: 'Post not found' },
  plan_not_found: { status: 404, message: 'Plan not found' },
  ticket_not_found: { status: 404, message: 'Ticket not found' },
  assignment_not_found: { status: 404, message: 'Assignment not found' },
  currency_not_found: { status: 404, message: 'Currency not found' },

  post_status_final: {
    status: 409,
    message: 'The status of a completed or failed post cannot be changed',
  },
  post_status_same: { status: 409, message: 'The post already has this status' },
  post_not_cancellable: {
    status: 409,
    message: 'Only a pending or processing post can be cancelled',
  },
  ticket_not_revocable: { status: 409, message: 'Only an unused ticket can be revoked' },
  assignment_not_revocable: { status: 409, message: 'Only an active assignment can be revoked' },
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
  request_in_progress: {
    status: 409,
    message: 'The same request is still being worked on. Wait a moment and try again',
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
  body_too_large: { status: 413, message: 'The request is too large' },
  unsupported_media_type: {
    status: 415,
    message: 'The request body must be sent as application/json',
  },
  misdirected_host: { status: 421, message: 'This host name is not served here' },
  key_used_otherwise: {
    status: 422,
    message: 'This Idempotency-Key was used for a different request',
  },
  // Pictures of other hosts. Not 5xx: the other host is at fault, and the alerts watch this server.
  picture_address_invalid: {
    status: 422,
    message:
      'Pictures are loaded only from https addresses without a user name, a password or a port',
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
  too_many_requests: { status: 429, message: 'Too many attempts. Wait a moment and try again' },

  internal: { status: 500, message: 'Internal server error' },
  publish_failed: { status: 502, message: 'Failed to publish plans' },
  upstream_failed: { status: 502, message: 'The service behind the console did not answer' },
  pictures_busy: {
    status: 503,
    message: 'Several pictures are being loaded already. Try again in a moment',
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
