/** Where someone wanted to go before being asked to log in. Kept in memory, never in the URL. */
let intendedPath: string | null = null;

export function rememberIntendedPath(path: string | null): void {
  intendedPath = path;
}

export function getIntendedPath(): string | null {
  return intendedPath;
}
