import { useEffect } from 'react';
import { logSilently } from '../api/log-silently.ts';

/** For reads whose failure the specification wants logged only. */
export function useLoggedError(what: string, error: unknown): void {
  // A log line is written once per failure, not once per render.
  useEffect(() => {
    if (error !== null && error !== undefined) logSilently(what, error);
  }, [what, error]);
}
