import { getOwner } from './session.ts';
import { ApiError, isNotFound, messageOf } from './errors.ts';
import { showToast } from '../toasts.ts';
import { useNavigation } from 'react-router';
import { useEffect, useRef } from 'react';
import type { AnswerOf, Endpoint } from '@meridian/contract/endpoint';
import { call, type CallArgs } from './call.ts';

function tell(error: unknown, failed: string): void {
  // Of a session that has ended the login says so.
  if (getOwner() === null) return;
  const said = messageOf(error, '');
  // The server's words alone would not say what they are about, away from the button.
  const message = said === '' ? failed : `${failed}: ${said}`;
  const isUnknown = error instanceof UnknownOutcomeError;
  showToast({
    tone: 'red',
    message: isUnknown ? `${message} (the outcome is unknown)` : message,
    durationMs: Infinity,
  });
}

/**
 * A failure is shown where the change was asked for. If that was left meanwhile, it is told as a message
 * on the page that is open, which stays until it is dismissed. The error is thrown on.
 */
export function useFailureElsewhere(failed: string): (error: unknown) => never {
  const { location: next } = useNavigation();
  const isShown = useRef(false);

  // During a navigation the page may be replaced before the administrator has read its message.
  useEffect(() => {
    isShown.current = next === undefined;
    return () => {
      isShown.current = false;
    };
  }, [next]);

  return (error) => {
    if (!isShown.current) tell(error, failed);
    throw error;
  };
}

interface KeptKey {
  /** For sending this content: the same as last time when that is sent again, else a new one. */
  keyFor(content: unknown): string;
  /** The response came: the same content once more is another wish. */
  spend(): void;
}

/** The key of one form, for a server that does the same request once, however often it arrives. */
export function keptKey(): KeptKey {
  let kept: { content: string; key: string } | undefined;
  return {
    keyFor(content) {
      const text = JSON.stringify(content);
      if (kept?.content !== text) kept = { content: text, key: newKey() };
      return kept.key;
    },
    spend() {
      kept = undefined;
    },
  };
}

/** Not `crypto.randomUUID`, which browsers keep back where the page came without TLS. */
export function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** A write whose response was lost (timeout, 5xx, cut connection): it may have been made or not. */
export class UnknownOutcomeError extends ApiError {
  /** The server makes the same request once, however often it arrives. */
  readonly isRepeatable: boolean;

  constructor(lost: ApiError, isRepeatable: boolean) {
    super(lost, lost);
    this.isRepeatable = isRepeatable;
  }
}

/** A write that never left the browser, which was offline: nothing was changed. */
export class NotSentError extends ApiError {}

/**
 * The error of a write: a 4xx is a refusal, everything else leaves the outcome open, unless the
 * browser was offline already before it was to be sent.
 */
export function errorOfWrite(error: unknown, isRepeatable: boolean, wasOffline = false): unknown {
  if (wasOffline && error instanceof ApiError && !error.hasResponse) {
    return new NotSentError(error, error);
  }
  const isLost = error instanceof ApiError && (error.status < 400 || error.status >= 500);
  return isLost ? new UnknownOutcomeError(error, isRepeatable) : error;
}

/** What reading again shows after the response to a change was lost. */
export type Outcome = 'made' | 'gone' | 'open';

/** Reads what was to be changed. Still as before is open: the request may yet arrive. */
export async function readOutcome<E extends Endpoint>(
  endpoint: E,
  args: CallArgs<E>,
  isAsWished: (answer: AnswerOf<E>) => boolean,
): Promise<Outcome> {
  try {
    return isAsWished(await call(endpoint, args)) ? 'made' : 'open';
  } catch (error) {
    return isNotFound(error) ? 'gone' : 'open';
  }
}

/** The same for a removal: what is no longer found was removed. */
export async function readRemoval<E extends Endpoint>(
  endpoint: E,
  args: CallArgs<E>,
): Promise<Outcome> {
  const outcome = await readOutcome(endpoint, args, () => false);
  return outcome === 'gone' ? 'made' : 'open';
}
