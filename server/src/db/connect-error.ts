import type { Client } from 'pg';
import { StartError } from '../start-error.ts';
import { isServerError } from './errors.ts';

const REFUSALS: Record<string, (client: Client, error: Error) => string> = {
  '28P01': () => 'it refuses the user name or password',
  '28000': () => 'it refuses this user name',
  '3D000': (client) => `it has no database named ${client.database ?? ''}`,
  '42501': (client, error) => `the role ${client.user ?? ''} lacks a right (${error.message})`,
  '53300': () => 'it has no connection left to give',
  '57P03': () => 'it is still starting or shutting down',
};

export function refusedDatabase(client: Client, problem: string, cause?: Error): StartError {
  return new StartError(`Cannot use ${placeOf(client)}: ${problem}.`, { cause });
}

/** The sentence leaves the password out; any other error stays as it is. */
export function connectError(client: Client, error: unknown): unknown {
  if (error instanceof StartError || !(error instanceof Error)) return error;
  // The embedded database is reached by a socket; it needs no setting.
  const advice = client.host.startsWith('/') ? '' : '; check DATABASE_URL';
  if (isServerError(error)) {
    const refusal = REFUSALS[error.code ?? '']?.(client, error);
    return refusal === undefined ? error : refusedDatabase(client, refusal + advice, error);
  }
  const hint = DRIVER_HINTS.find(([words]) => words.test(error.message));
  if (hint !== undefined) return refusedDatabase(client, hint[1], error);
  const sentence = `Cannot reach ${placeOf(client)} (${reasonOf(error)})${advice}.`;
  return new StartError(sentence, { cause: error });
}

const DRIVER_HINTS = [
  [
    /password must be a string/,
    'it asks for a password; give it in DATABASE_URL, PGPASSWORD or a password file',
  ],
  [
    /does not support SSL/,
    'it offers no TLS; turn that on there, or take sslmode out of DATABASE_URL',
  ],
] as const;

function placeOf({ host, port }: Client): string {
  return `the database at ${host.startsWith('/') ? host : `${host}:${port}`}`;
}

function reasonOf(error: Error): string {
  // A host name with several addresses fails with one error for each.
  const first = error instanceof AggregateError ? error.errors[0] : error;
  if (first instanceof Error && 'code' in first && typeof first.code === 'string')
    return first.code;
  return /timeout/i.test(error.message) ? 'no answer in time' : 'the connection broke';
}
