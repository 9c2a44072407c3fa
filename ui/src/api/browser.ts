import { useEffect } from 'react';

/** `sessionStorage` belongs to the tab and outlives a reload. */
type Area = 'localStorage' | 'sessionStorage';

/** Null for what is not there, undefined where the browser forbids storage. */
export function readStored(key: string, area: Area = 'localStorage'): string | null | undefined {
  try {
    return window[area].getItem(key);
  } catch {
    return undefined;
  }
}

/** Null removes it. Storage that is full or forbidden stores nothing, and no error is thrown. */
export function writeStored(key: string, value: string | null, area: Area = 'localStorage'): void {
  try {
    if (value === null) window[area].removeItem(key);
    else window[area].setItem(key, value);
  } catch {
    // The callers can do without.
  }
}

/** For failures that the specification wants logged and nothing more. */
export function logSilently(what: string, error: unknown): void {
  // oxlint-disable-next-line no-console
  console.info(`${what}:`, error instanceof Error ? error.message || error.name : error);
}

/** For reads whose failure the specification wants logged only. */
export function useLoggedError(what: string, error: unknown): void {
  // A log line is written once per failure, not once per render.
  useEffect(() => {
    if (error !== null && error !== undefined) logSilently(what, error);
  }, [what, error]);
}
