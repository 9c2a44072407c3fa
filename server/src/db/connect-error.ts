import type pg from 'pg';
import { StartError } from '../start-error.ts';
import { isServerError } from './errors.ts';

/** The server's refusals at the door, by SQLSTATE, with what the operator can do. */
const REFUSALS: Record<string, (client: pg.Client) => string> = {
  '28P01': () => 'it refuses the user name or password.',
  '28000': () => 'it refuses this user name.',
  '3D000': (client) => `it has no database named ${client.database ?? ''}.`,
  '53300': () => 'it has no connection left to give.',
  '57P03': () => 'it is still starting or shutting down.',
};

/** Failing to connect as one sentence without the password; any other error as it is. */
export function connectError(client: pg.Client, error: unknown): unknown {
  const place = `the database at ${client.host.startsWith('/') ? client.host : `${client.host}:${client.port}`}`;
  if (isServerError(error)) {
    const sentence = REFUSALS[error.code ?? '']?.(client);
    return sentence === undefined
      ? error
      : new StartError(`Cannot use ${place}: ${sentence}`, { cause: error });
  }
  if (error instanceof StartError || !(error instanceof Error)) return error;
  return new StartError(`Cannot reach ${place} (${reasonOf(error)}).`, { cause: error });
}

function reasonOf(error: Error): string {
  // A host name with several addresses fails with one error for each.
  const first = error instanceof AggregateError ? error.errors[0] : error;
  if (first instanceof Error && 'code' in first && typeof first.code === 'string')
    return first.code;
  return /timeout/i.test(error.message) ? 'no answer in time' : 'the connection broke';
}
