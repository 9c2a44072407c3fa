import type { NetworkResponse } from '../../network/network.ts';
import type { Decision, Situation, Step } from '../outcome.ts';

export const OWN_CID = 'bafyreiown';
export const NOW = Date.UTC(2026, 10, 16, 13);
export const MINUTE = 60_000;
export const URI = 'at://did:plc:abc/app.bsky.feed.post/3kabc';
export const first: Situation = {
  call: 'putRecord',
  host: 'pds.example',
  everSent: false,
  firstSentAt: null,
  now: NOW,
  dueAt: NOW,
  lateLimitMs: 60 * MINUTE,
  retryWindowMs: 10 * MINUTE,
  ownCid: OWN_CID,
  transientFailures: 0,
  faults: 0,
  random: () => 0.5,
};
export const repeated = { everSent: true, firstSentAt: NOW - MINUTE };

export const responded = (status: number, error: string | null = null, body: unknown = null) =>
  ({
    kind: 'response',
    status,
    error,
    message: error && `${error} in words`,
    body,
    retryAt: null,
  }) satisfies NetworkResponse;
type NoResponse = Extract<NetworkResponse, { kind: 'no_response' }>;
export const silent = (
  reason: NoResponse['reason'],
  status: number | null = null,
): NetworkResponse => ({
  kind: 'no_response',
  reason,
  status,
});
export const limited = (seconds: number | null) => ({
  ...responded(429, 'RateLimitExceeded'),
  retryAt: seconds === null ? null : new Date(NOW + seconds * 1000),
});
export const written = { uri: URI, cid: OWN_CID, commit: { cid: 'bafy', rev: '3k' } };
export const unchanged = { uri: URI, cid: OWN_CID };

/** A decision in a few words: `retry host_down +2s`, `look, else fail too_long (refused)`. */
export function inWords(step: Step): string {
  if (step.kind === 'look') return `look, else ${inWords(step.otherwise)}`;
  if (!('cause' in step)) return step.kind;
  const state = step.accountState ? ` [${step.accountState}]` : '';
  if (step.kind === 'retry') return `retry ${step.cause} +${(step.at - NOW) / 1000}s`;
  if (step.kind === 'hold') return `hold ${step.hold} ${step.cause}${state}`;
  return step.kind === 'fail' ? `fail ${step.cause} (${step.outcome})${state}` : step.kind;
}

export function signalOf({ hostSignal }: Decision): string {
  if (hostSignal === 'no call') return hostSignal;
  return 'until' in hostSignal
    ? `${hostSignal.state} +${(hostSignal.until - NOW) / 1000}s`
    : hostSignal.state;
}
