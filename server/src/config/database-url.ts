import { StartError } from '../start-error.ts';

type Given = { DATABASE_URL: string | null; DATABASE_URL_FILE: string | null };

/** The server's address, given directly or in a file; null for the embedded database. */
export function chosenDatabaseUrl(given: Given): string | null {
  if (given.DATABASE_URL !== null && given.DATABASE_URL_FILE !== null) {
    throw new StartError('Set DATABASE_URL or DATABASE_URL_FILE, not both.');
  }
  return given.DATABASE_URL ?? given.DATABASE_URL_FILE;
}

/** The driver takes a password from the query too. */
export function hasPassword(databaseUrl: string): boolean {
  const { password, searchParams } = new URL(databaseUrl);
  return password !== '' || searchParams.has('password');
}
