import { useEffect, useRef } from 'react';
import { useNavigation } from 'react-router';
import { messageOf } from '../api/api-error.ts';
import { UnknownOutcomeError } from '../api/unknown-outcome.ts';
import { getSession } from '../auth/session.ts';
import { showToast } from '../ui/toast-store.ts';

function tell(error: unknown, failed: string): void {
  // Of a session that has ended the login says so.
  if (getSession().phase !== 'signed-in') return;
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
