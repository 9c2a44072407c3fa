import { isDeepStrictEqual } from 'node:util';
import { operatorSentence } from '@meridian/contract/causes';
import type { Cause, Hold } from '@meridian/contract/cause-words';
import type { CauseFacts } from '@meridian/contract/causes';
import { propertyOf } from '@meridian/contract/untrusted';
import type { NetworkResponse } from '../network/network.ts';

type NetworkCall = 'putRecord' | 'applyWrites' | 'uploadBlob' | 'getRecord';
export type AccountState = 'RECONNECT' | 'DEACTIVATED' | 'TAKEN_DOWN' | 'GONE';

type Rule =
  | { action: 'backoff'; cause: Cause }
  | { action: 'limited'; cause: Cause }
  | { action: 'look'; cause: Cause }
  | { action: 'hold'; hold: Hold; cause: Cause; accountState: AccountState }
  | { action: 'fail'; cause: Cause; accountState?: AccountState }
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
const BLOB_REFUSED: Rule = {
  action: 'once',
  cause: 'blob_refused',
  second: { action: 'fail', cause: 'blob_refused' },
};

/** These count only for a 4xx: behind a gateway's 5xx the word may come from another server. */
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

/** A 4xx is a refusal, but for 408, by which the host gave up waiting. */
function mayBeCarriedOut(response: NetworkResponse): boolean {
  if (response.kind === 'no_response') return response.reason !== 'unreachable';
  return response.status < 400 || response.status > 499 || response.status === 408;
}

export type OwnFault = { kind: 'fault'; reference?: string };
type Wait = { kind: 'wait'; until: number; cause: Cause; facts: CauseFacts };
type Response = NetworkResponse | OwnFault | Wait;

export type Situation = {
  call: NetworkCall;
  host: string;
  /** The host may have carried out an earlier call; `decide` finds out about this one. */
  everSent: boolean;
  firstSentAt: number | null;
  now: number;
  /** The lateness counts from here: the post's time, or the end of what it waited for. */
  dueAt: number;
  lateLimitMs: number;
  retryWindowMs: number;
  ownCid: string;
  ownRecord?: unknown;
  transientFailures: number;
  faults: number;
  /** A call that was tried once more is not tried a third time. */
  previousCause?: Cause | null;
  /** This step is taken when a look finds no record. */
  otherwise?: Step;
  random?: () => number;
};

type Reason = { cause: Cause; facts: CauseFacts; accountState?: AccountState };

export type Step =
  | { kind: 'published' | 'already' | 'uploaded' }
  | ({ kind: 'altered' } & Reason)
  | { kind: 'look'; otherwise: Step }
  | ({ kind: 'retry'; at: number } & Reason)
  | ({ kind: 'hold'; hold: Hold } & Reason)
  | ({ kind: 'fail'; outcome: 'refused' | 'unknown' } & Reason);

export type HostSignal =
  | { state: 'ok' | 'slow' | 'down' | 'unreachable' }
  | { state: 'limited' | 'account_limited'; until: number };

export type Decision = Step & {
  hostSignal: HostSignal | 'no call';
  /** The host may have carried out this call, so the attempt does not count as unsent. */
  maybeSent: boolean;
};

/** A fault of our own that comes back so often is not going to pass. */
export const FAULT_RETRIES = 3;
/** The limit per address and host is counted over 5 minutes; longer waits are of the account's. */
const ADDRESS_WINDOW_MS = 5 * 60_000;
/** A host may ask for a wait within these bounds; without a time it gets the default. */
const LIMITED_MIN_MS = 1000;
const LIMITED_DEFAULT_MS = 60_000;
const LIMITED_MAX_MS = 24 * 60 * 60_000;
const MINUTE_MS = 60_000;

export function decide(response: Response, situation: Situation): Decision {
  const { call, now } = situation;
  const isWrite = call === 'putRecord' || call === 'applyWrites';
  const isKnown = response.kind === 'response' || response.kind === 'no_response';
  const maybeSent = isWrite && (!isKnown || mayBeCarriedOut(response));
  const isSent = situation.everSent || maybeSent;
  const at: Moment = { ...situation, sentAt: isSent ? (situation.firstSentAt ?? now) : null };
  const step = stepFor(response, at);
  return { ...step, hostSignal: hostSignalOf(response, at, step), maybeSent };
}

type Moment = Situation & { sentAt: number | null };

function stepFor(response: Response, at: Moment): Step {
  if (response.kind === 'fault') return ownFault(response, at);
  if (response.kind === 'wait') {
    const { cause, facts, until } = response;
    return retry({ cause, facts }, at, until);
  }
  if (at.call === 'getRecord') return looked(response, at);
  const success = response.kind === 'response' && response.status === 200;
  const step = success ? accepted(response.body, at) : null;
  return step ?? notAccepted(response, at);
}

/** Only a response that names our own CID is a success. */
function accepted(body: unknown, at: Moment): Step | null {
  if (at.call === 'uploadBlob') {
    const ref = propertyOf(propertyOf(body, 'blob'), 'ref');
    if (propertyOf(ref, '$link') === at.ownCid) return { kind: 'uploaded' };
    const facts = { host: at.host, reason: 'it stored something else' };
    return follow(BLOB_REFUSED, facts, at);
  }
  const results = propertyOf(body, 'results');
  const first: unknown = at.call === 'applyWrites' && Array.isArray(results) ? results[0] : body;
  if (propertyOf(first, 'cid') !== at.ownCid) {
    const reason = { cause: 'host_down', facts: { host: at.host } } as const;
    return look(backOff(reason, at));
  }
  const hasCommit = Boolean(propertyOf(body, 'commit'));
  return { kind: hasCommit || at.call === 'applyWrites' ? 'published' : 'already' };
}

function notAccepted(response: NetworkResponse, at: Moment): Step {
  const { rule, facts } = ruleFor(response, at.call);
  const limit = response.kind === 'response' ? response.retryAt : null;
  const step = follow(rule, { host: at.host, ...facts }, at, limit);
  // A repeated applyWrites of what is published gets a 500 for ever.
  const isRepeated = at.call === 'applyWrites' && at.everSent && mayBeCarriedOut(response);
  return isRepeated && step.kind === 'retry' ? look(step) : step;
}

function follow(rule: Rule, facts: CauseFacts, at: Moment, retryAt: Date | null = null): Step {
  const { cause } = rule;
  if (rule.action === 'backoff') return backOff({ cause, facts }, at);
  if (rule.action === 'look') return look(backOff({ cause, facts }, at));
  if (rule.action === 'limited') return limited(facts, at, retryAt);
  if (rule.action === 'hold') {
    return { kind: 'hold', hold: rule.hold, cause, facts, accountState: rule.accountState };
  }
  if (rule.action === 'once') {
    if (at.previousCause === cause) return follow(rule.second, facts, at);
    return retry({ cause, facts }, at, at.now);
  }
  const state = rule.accountState === undefined ? {} : { accountState: rule.accountState };
  return refused({ cause, facts, ...state }, at);
}

/** An earlier attempt may have published it before this one was refused. */
function refused(reason: Reason, at: Moment): Step {
  const failed: Step = { kind: 'fail', outcome: 'refused', ...reason };
  return at.sentAt === null ? failed : look(failed);
}

function limited(facts: CauseFacts, at: Moment, retryAt: Date | null): Step {
  const until = limitedUntil(at, retryAt);
  const cause = isOfAccount(until, at) ? 'rate_limited_account' : 'rate_limited_host';
  const reason: Reason = { cause, facts: { ...facts, time: new Date(until) } };
  // The lateness is that of the moment at which the host would take the post.
  return until > deadlineOf(at) ? expired(reason, { ...at, now: until }) : retry(reason, at, until);
}

function limitedUntil({ now }: Situation, retryAt: Date | null): number {
  const at = retryAt?.getTime() ?? Number.NaN;
  const wait = Number.isNaN(at) ? LIMITED_DEFAULT_MS : at - now;
  return now + Math.min(Math.max(wait, LIMITED_MIN_MS), LIMITED_MAX_MS);
}

const isOfAccount = (until: number, { now }: Situation) => until > now + ADDRESS_WINDOW_MS;

function ownFault({ reference }: OwnFault, at: Moment): Step {
  const reason = { cause: 'internal', facts: { reference, host: at.host } } as const;
  if (at.faults < FAULT_RETRIES) return backOff(reason, at);
  const outcome = at.sentAt === null ? 'refused' : 'unknown';
  const failed: Step = { kind: 'fail', outcome, ...reason };
  return outcome === 'refused' || at.call === 'getRecord' ? failed : look(failed);
}

/** One look is all there is: it settles what follows, also when the retries have ended meanwhile. */
function look(otherwise: Step): Step {
  return otherwise.kind === 'look' ? otherwise : { kind: 'look', otherwise };
}

function backOff(reason: Reason, at: Moment): Step {
  return retry(reason, at, at.now + backoffMs(at.transientFailures, at.random));
}

function retry(reason: Reason, at: Moment, wanted: number): Step {
  const deadline = deadlineOf(at);
  return at.now >= deadline
    ? expired(reason, at)
    : { kind: 'retry', at: Math.min(wanted, deadline), ...reason };
}

/** The author may have seen and deleted a sent post: retries end before they would restore it. */
function deadlineOf({ sentAt, retryWindowMs, dueAt, lateLimitMs }: Moment): number {
  return sentAt === null ? dueAt + lateLimitMs : sentAt + retryWindowMs;
}

function expired({ cause, facts }: Reason, at: Moment): Step {
  if (at.sentAt !== null) {
    const failed: Step = { kind: 'fail', outcome: 'unknown', cause: 'unknown_outcome', facts };
    return at.call === 'getRecord' ? failed : look(failed);
  }
  const { dueAt, now, lateLimitMs } = at;
  const late = { ...lateFacts(dueAt, now, lateLimitMs), reason: operatorSentence(cause, facts) };
  return { kind: 'fail', outcome: 'refused', cause: 'too_late', facts: late };
}

export function lateFacts(since: number, now: number, limitMs: number) {
  return { minutes: Math.floor((now - since) / MINUTE_MS), limit: Math.floor(limitMs / MINUTE_MS) };
}

// A post sent late carries the time of its sending, and a delivery that the database lost gave it another one.
// The comparison ends where the host's record has another shape, however large that is.
function isSameButForDate(found: unknown, own: unknown): boolean {
  if (typeof found !== 'object' || found === null || typeof own !== 'object' || own === null)
    return false;
  const isSame = ([name, value]: [string, unknown]) =>
    name === 'createdAt' || isDeepStrictEqual(propertyOf(found, name), value);
  const entries = Object.entries(own);
  return entries.every(isSame) && Object.keys(found).length === entries.length;
}

/** Only `RecordNotFound` says that the record is not there. */
function looked(response: NetworkResponse, at: Moment): Step {
  const { rule, facts } = ruleFor(response, 'getRecord');
  const reason: Reason = { cause: rule.cause, facts: { host: at.host, ...facts } };
  if (response.kind === 'response' && response.status === 200) {
    const cid = propertyOf(response.body, 'cid');
    const found = propertyOf(response.body, 'value');
    const isOurs = cid === at.ownCid || at.ownRecord === null;
    if (isOurs || isSameButForDate(found, at.ownRecord)) return { kind: 'already' };
    const uri = propertyOf(response.body, 'uri');
    if (typeof cid === 'string' && typeof uri === 'string') {
      return { kind: 'altered', cause: 'altered', facts: { host: at.host, uri } };
    }
  }
  const otherwise = at.otherwise ?? backOff({ ...reason, cause: 'host_down' }, at);
  const isAbsent = response.kind === 'response' && response.error === 'RecordNotFound';
  // A refused post may have been published before: it is not settled until the host says whether it was.
  return !isAbsent && otherwise.kind === 'fail' && otherwise.outcome === 'refused'
    ? backOff({ ...reason, cause: 'host_down' }, at)
    : otherwise;
}

function hostSignalOf(response: Response, at: Moment, step: Step): Decision['hostSignal'] {
  if (response.kind === 'no_response') {
    if (response.elsewhere !== undefined) return 'no call';
    const { reason } = response;
    if (reason === 'unreachable') return { state: 'unreachable' };
    return { state: reason === 'timeout' ? 'slow' : 'down' };
  }
  if (response.kind !== 'response') return { state: 'ok' };
  const { status, retryAt } = response;
  if (status === 429 || response.error === 'RateLimitExceeded') {
    const until = limitedUntil(at, retryAt);
    return { state: isOfAccount(until, at) ? 'account_limited' : 'limited', until };
  }
  const isRefusal = status >= 400 && status <= 499;
  const isRepetition = step.kind === 'look' && at.call === 'applyWrites';
  return { state: status === 200 || isRefusal || isRepetition ? 'ok' : 'down' };
}

const SECONDS = [2, 5, 15, 45, 120, 300] as const;
const JITTER = 0.2;

export function backoffMs(failures: number, random: () => number = Math.random): number {
  const seconds = SECONDS[Math.min(Math.max(failures, 0), SECONDS.length - 1)] ?? 300;
  return Math.round(seconds * 1000 * (1 - JITTER + 2 * JITTER * random()));
}

export function failureOf(response: NetworkResponse | OwnFault) {
  if (response.kind === 'fault') return { httpStatus: null, error: 'internal' };
  if (response.kind === 'no_response') {
    const { status: httpStatus, reason: error, elsewhere: host } = response;
    return { httpStatus, error, ...(host && { host }) };
  }
  const { status, error, message } = response;
  const words = [error ?? `HTTP ${status}`, message].filter(Boolean).join(': ');
  // The database stores no NUL and no half of a surrogate pair; hosts write what they like.
  return { httpStatus: status, error: words.replaceAll('\0', ' ').toWellFormed() };
}
