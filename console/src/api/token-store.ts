import { TOKEN_STORAGE_KEY } from '@meridian/contract/auth';

/** Stands in where the browser forbids storage: signed in until the tab closes. */
let memory: string | null = null;

export function getToken(): string | null {
  try {
    return localStorage.getItem(TOKEN_STORAGE_KEY);
  } catch {
    return memory;
  }
}

export function setToken(token: string): void {
  memory = token;
  try {
    localStorage.setItem(TOKEN_STORAGE_KEY, token);
  } catch {
    // Kept in memory.
  }
}

export function clearToken(): void {
  memory = null;
  try {
    localStorage.removeItem(TOKEN_STORAGE_KEY);
  } catch {
    // Nothing was stored.
  }
}
