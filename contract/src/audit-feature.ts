/** In `features` of a server whose audit log can be read. Apart from its calls: every page asks for it. */
export const AUDIT_FEATURE = 'audit';
/** In `features` of a server that stores why a change was made. */
export const REASONS_FEATURE = 'reasons';

/** Carries the reason of a change, percent-encoded: bodies and queries stay those of the specification. */
export const REASON_HEADER = 'X-Reason';

export const REASON_MAX_LENGTH = 500;
