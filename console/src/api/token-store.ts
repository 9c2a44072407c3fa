import { TOKEN_STORAGE_KEY } from '@meridian/contract/auth';
import { readStored, writeStored } from './storage.ts';

/** Stands in where the browser forbids storage: signed in until the tab closes. */
let memory: string | null = null;

export function getToken(): string | null {
  const stored = readStored(TOKEN_STORAGE_KEY);
  return stored === undefined ? memory : stored;
}

export function setToken(token: string): void {
  keep(token);
}

export function clearToken(): void {
  keep(null);
}

function keep(token: string | null): void {
  memory = token;
  writeStored(TOKEN_STORAGE_KEY, token);
}
