import type { NetworkResponse } from '../network/network.ts';
import type { OwnFault } from './decide.ts';

/** What a call that did not succeed came to, for the list of attempts. */
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
