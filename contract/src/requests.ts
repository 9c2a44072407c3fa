/** What any screen says when a response brings no message of its own. */
export const REQUEST_MESSAGES = {
  notJson: 'Request failed',
  withoutMessage: (status: number) => `HTTP ${status}`,
  /** Beside the screen's message, when a read succeeded but is not what was asked for. */
  unexpectedForm: 'The service responded in an unexpected form.',
} as const;

/** Time between a form's success message and the way back. */
export const FORM_REDIRECT_MS = 2000;

/**
 * Marks a read that the console repeats by itself because something changed: it does not prolong the
 * session, so that an unattended console still signs out.
 */
export const BACKGROUND_HEADER = 'X-Background';

/** Carries the reason of a change, percent-encoded: bodies and queries stay those of the specification. */
export const REASON_HEADER = 'X-Reason';

export const REASON_MAX_LENGTH = 500;
