import { QueryClient } from '@tanstack/react-query';
import { ApiError } from './api-error.ts';
import { onSessionEnd } from './session-end.ts';

/** Younger data is shown as it is; older data is shown too, and asked for again. */
const FRESH_MS = 10_000;
const RETRY_DELAY_MS = 700;
const RETRY_DELAY_MAX_MS = 5000;

/** One more try where it can help: no response, or a server that may be well again in a moment. */
export function shouldRetry(failureCount: number, error: unknown): boolean {
  if (failureCount > 0 || !(error instanceof ApiError)) return false;
  return !error.hasResponse || error.status >= 500;
}

export function retryDelayMs(error: unknown): number {
  const asked = error instanceof ApiError ? error.retryAfterMs : undefined;
  return Math.min(asked ?? RETRY_DELAY_MS, RETRY_DELAY_MAX_MS);
}

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: FRESH_MS,
      retry: shouldRetry,
      retryDelay: (_, error) => retryDelayMs(error),
      // A call that cannot succeed should say so, not wait in silence for the network.
      networkMode: 'always',
    },
    mutations: { retry: false, networkMode: 'always' },
  },
});

// What one administrator has read is not for the next.
onSessionEnd(() => {
  void queryClient.cancelQueries();
  queryClient.clear();
});
