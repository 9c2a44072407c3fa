import type { ClientConfig } from 'pg';
import { openDatabase } from '../src/db/database.ts';
import type { Database } from '../src/db/database.ts';

/**
 * Instead of the limits that bound a statement in production: a machine that stands still for some
 * seconds, a race whose sides wait for the last of them and thousands of rows written at once take longer.
 */
export const PATIENT = {
  connectionTimeoutMillis: 60_000,
  lock_timeout: 60_000,
  statement_timeout: 60_000,
  query_timeout: 70_000,
  idle_in_transaction_session_timeout: 60_000,
};

/** For what a test itself reads and prepares. Connections that break are replaced without a word. */
export function openPatient(connection: ClientConfig, maxConnections = 10): Database {
  return openDatabase({ ...connection, ...PATIENT }, { maxConnections, onError: () => {} });
}
