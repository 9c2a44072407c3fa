import { DATABASE_ADDRESS, databaseUrl } from '../config/parsers.ts';
import { hasPassword } from '../config/database-url.ts';
import { inSecretFile } from '../config/secret-file.ts';
import { ArgumentError, readOption } from './arguments.ts';

/** What `--database-url` says; null when it is not given. */
export function readDatabaseUrl(text: string | undefined): string | null {
  if (text === undefined) return null;
  return readAddress('database-url', text, 'set DATABASE_URL or DATABASE_URL_FILE instead');
}

/** Where `copy-database` copies to. */
export function readTarget(values: { to?: string; 'to-file'?: string }): string {
  const { to, 'to-file': file } = values;
  if (to === undefined && file === undefined) {
    throw new ArgumentError('Name the database to copy to: --to URL or --to-file FILE.');
  }
  if (to !== undefined && file !== undefined) {
    throw new ArgumentError('Give --to or --to-file, not both.');
  }
  if (to !== undefined) return readAddress('to', to, 'use --to-file FILE instead');
  return readOption('to-file', inSecretFile(DATABASE_ADDRESS, databaseUrl), file ?? '');
}

/** Every user of a machine can list the command lines of the others, passwords included. */
function readAddress(name: string, text: string, instead: string): string {
  const address = readOption(name, databaseUrl, text, { isSecret: true });
  if (!hasPassword(address)) return address;
  throw new ArgumentError(
    `--${name} must not hold a password, because every user of this machine can see it: ${instead}, or leave the password to PGPASSWORD or a password file (~/.pgpass, PGPASSFILE).`,
  );
}
