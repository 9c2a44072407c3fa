import type { Client } from 'pg';
import { StartError } from '../start-error.ts';
import { isServerError } from './errors.ts';

/** The server's refusals at the door, by SQLSTATE. */
const REFUSALS: Record<string, (client: Client) => string> = {
  '28P01': () => 'it refuses the user name or password',
  '28000': () => 'it refuses this user name',
  '3D000': (client) => `it has no database named ${client.database ?? ''}`,
  '53300': () => 'it has no connection left to give',
  '57P03': () => 'it is still starting or shutting down',
};

/** Failing to connect as one sentence without the password; any other error as it is. */
export function connectError(client: Client, error: unknown): unknown {
  if (error instanceof StartError || !(error instanceof Error)) return error;
  const isSocket = client.host.startsWith('/');
  const place = `the database at ${isSocket ? client.host : `${client.host}:${client.port}`}`;
  // The embedded database is reached by a socket; nobody has to set anything for it.
  const advice = isSocket ? '' : '; check DATABASE_URL';
  if (!isServerError(error)) {
    return new StartError(`Cannot reach ${place} (${reasonOf(error)})${advice}.`, { cause: error });
  }
  const refusal = REFUSALS[error.code ?? '']?.(client);
  return refusal === undefined
    ? error
    : new StartError(`Cannot use ${place}: ${refusal}${advice}.`, { cause: error });
}

function reasonOf(error: Error): string {
  // A host name with several addresses fails with one error for each.
  const first = error instanceof AggregateError ? error.errors[0] : error;
  if (first instanceof Error && 'code' in first && typeof first.code === 'string')
    return first.code;
  return /timeout/i.test(error.message) ? 'no answer in time' : 'the connection broke';
}
