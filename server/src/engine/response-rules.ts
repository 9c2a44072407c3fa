import type { Cause, Hold } from '@meridian/contract/cause-words';
import type { CauseFacts } from '@meridian/contract/causes';
import type { NetworkResponse } from '../network/network.ts';

export type NetworkCall = 'putRecord' | 'applyWrites' | 'uploadBlob' | 'getRecord';
export type AccountState = 'RECONNECT' | 'DEACTIVATED' | 'TAKEN_DOWN' | 'GONE';

/** What an unsuccessful response calls for, whatever was sent before and however late it is. */
export type Rule =
  | { action: 'backoff'; cause: Cause }
  | { action: 'limited'; cause: Cause }
  | { action: 'look'; cause: Cause }
  | { action: 'hold'; hold: Hold; cause: Cause; accountState: AccountState }
  | { action: 'fail'; cause: Cause; accountState?: AccountState }
  /** Tried once more, then the second rule. */
  | { action: 'once'; cause: Cause; second: Rule };

const RECONNECT: Rule = {
  action: 'hold',
  hold: 'reconnect',
  cause: 'reconnect',
  accountState: 'RECONNECT',
};
const DEACTIVATED: Rule = {
  action: 'hold',
  hold: 'account_off',
  cause: 'account_deactivated',
  accountState: 'DEACTIVATED',
};
const TAKEN_DOWN: Rule = { action: 'fail', cause: 'taken_down', accountState: 'TAKEN_DOWN' };
const INVALID: Rule = { action: 'fail', cause: 'invalid_record' };
const LIMITED: Rule = { action: 'limited', cause: 'rate_limited_host' };
const UNCLEAR: Rule = { action: 'backoff', cause: 'host_down' };
export const BLOB_REFUSED: Rule = {
  action: 'once',
  cause: 'blob_refused',
  second: { action: 'fail', cause: 'blob_refused' },
};

/** By error word. Only for 4xx: behind a gateway's 5xx the word may come from another server. */
const BY_ERROR: ReadonlyMap<string | null, Rule> = new Map<string, Rule>([
  ['ExpiredToken', { action: 'once', cause: 'token_expired', second: RECONNECT }],
  ['InvalidToken', RECONNECT],
  ['AuthMissing', RECONNECT],
  ['AuthenticationRequired', RECONNECT],
  ['AuthFactorTokenRequired', RECONNECT],
  [
    'ScopeMissingError',
    { action: 'hold', hold: 'reconnect', cause: 'scope_missing', accountState: 'RECONNECT' },
  ],
  [
    'AccountNotFound',
    { action: 'hold', hold: 'reconnect', cause: 'moved', accountState: 'RECONNECT' },
  ],
  ['AccountDeactivated', DEACTIVATED],
  ['RepoDeactivated', DEACTIVATED],
  ['AccountTakedown', TAKEN_DOWN],
  ['RepoTakendown', TAKEN_DOWN],
  ['RepoNotFound', { action: 'fail', cause: 'account_gone', accountState: 'GONE' }],
  ['RateLimitExceeded', LIMITED],
  ['InvalidSwap', { action: 'look', cause: 'host_down' }],
  ['BlobNotFound', BLOB_REFUSED],
  ['InvalidMimeType', BLOB_REFUSED],
  ['InvalidSize', BLOB_REFUSED],
]);

/** By status, where the error word says nothing. */
const BY_STATUS: ReadonlyMap<number, Rule> = new Map<number, Rule>([
  [400, INVALID],
  [401, RECONNECT],
  [413, INVALID],
  [422, INVALID],
  [429, LIMITED],
]);
const BY_STATUS_OF_UPLOAD: ReadonlyMap<number, Rule> = new Map<number, Rule>([
  [400, BLOB_REFUSED],
  [413, { action: 'fail', cause: 'image_too_large' }],
  [415, BLOB_REFUSED],
  [422, BLOB_REFUSED],
]);

const WITHOUT_RESPONSE = {
  unreachable: { cause: 'network_unreachable', reason: null },
  timeout: { cause: 'host_slow', reason: null },
  cut: { cause: 'host_down', reason: 'the connection ended early' },
  unreadable: { cause: 'host_down', reason: 'the response was not JSON' },
  too_large: { cause: 'host_down', reason: 'the response was too large' },
} as const satisfies Record<string, { cause: Cause; reason: string | null }>;

/** The rule for a response that is no success, and what its sentence can name. */
export function ruleFor(
  response: NetworkResponse,
  call: string,
): { rule: Rule; facts: CauseFacts } {
  if (response.kind === 'no_response') {
    const { cause, reason } = WITHOUT_RESPONSE[response.reason];
    const { elsewhere: host } = response;
    return { rule: { action: 'backoff', cause }, facts: { reason, ...(host && { host }) } };
  }
  const { status, error, message } = response;
  if (status < 400 || status > 499) {
    return { rule: UNCLEAR, facts: { reason: [status, error].filter(Boolean).join(' ') } };
  }
  const rule =
    (status === 429 ? LIMITED : BY_ERROR.get(error)) ??
    (call === 'uploadBlob' ? BY_STATUS_OF_UPLOAD.get(status) : undefined) ??
    BY_STATUS.get(status) ??
    UNCLEAR;
  return { rule, facts: { reason: message || error || `status ${status}` } };
}

/**
 * Whether a write may have been carried out although this response does not say so. A 4xx is a
 * refusal, but for 408: the host gave up waiting.
 */
export function mayBeCarriedOut(response: NetworkResponse): boolean {
  if (response.kind === 'no_response') return response.reason !== 'unreachable';
  return response.status < 400 || response.status > 499 || response.status === 408;
}
