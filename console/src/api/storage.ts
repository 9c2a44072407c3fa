/** Null for what is not there, undefined where the browser forbids storage. */
export function readStored(key: string): string | null | undefined {
  try {
    return localStorage.getItem(key);
  } catch {
    return undefined;
  }
}

/** Null removes it. Storage that is full or forbidden keeps nothing, without a word. */
export function writeStored(key: string, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(key);
    else localStorage.setItem(key, value);
  } catch {
    // The callers can do without.
  }
}
