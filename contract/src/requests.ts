/** What any screen says when a response brings no message of its own. */
export const REQUEST_MESSAGES = {
  notJson: 'Request failed',
  withoutMessage: (status: number) => `HTTP ${status}`,
} as const;

/** Time between a form's success message and the way back. */
export const FORM_REDIRECT_MS = 2000;

/** In `features` of a server that does a creating call once for each `Idempotency-Key`. */
export const IDEMPOTENCY_FEATURE = 'idempotency-key';
