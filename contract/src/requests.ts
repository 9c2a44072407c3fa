/** Apart from the endpoints, so that the page of members loads no schema for it. */
export const REQUEST_MESSAGES = {
  notJson: 'Request failed',
  withoutMessage: (status: number) => `HTTP ${status}`,
  unexpectedForm: 'The service responded in an unexpected form.',
} as const;

export const FORM_REDIRECT_MS = 2000;

/** A read that the console repeats by itself does not prolong the session: an unattended console signs out. */
export const BACKGROUND_HEADER = 'X-Background';

/** The reason of a change, percent-encoded, so that bodies and queries stay those of the specification. */
export const REASON_HEADER = 'X-Reason';

export const REASON_MAX_LENGTH = 500;
