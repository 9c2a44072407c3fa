let isRefreshing = false;

/** Starts reads that no administrator asked for: the server does not take them for use of the session. */
export function inBackground(startReads: () => void): void {
  isRefreshing = true;
  try {
    startReads();
  } finally {
    isRefreshing = false;
  }
}

/** Asked while a request is put together, which happens as soon as its read is started. */
export function isInBackground(): boolean {
  return isRefreshing;
}
