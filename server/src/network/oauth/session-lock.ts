import { requestLocalLock } from '@atproto/oauth-client-node';
import type { RuntimeLock } from '@atproto/oauth-client-node';
import type { ClientConfig } from 'pg';
import { openDatabase } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';

const WAIT_MS = 10_000;
/** Longer than the client works under one lock: 30 s until it gives up, then 10 s and one request. */
const HOLD_MS = 60_000;

const LIMITS = {
  connectionTimeoutMillis: WAIT_MS,
  lock_timeout: WAIT_MS,
  statement_timeout: WAIT_MS + 1_000,
  query_timeout: WAIT_MS + 2_000,
  idle_in_transaction_session_timeout: HOLD_MS,
} as const satisfies ClientConfig;

/**
 * A refresh token works once. All processes on a database refresh a session under one advisory lock,
 * which ends with its connection: a process that dies leaves no account locked. Connections of its own, so that
 * waiting for a slow host takes none from the queries of the process.
 */
export function createSessionLock(connection: ClientConfig, onError: (error: Error) => void) {
  const locks = openDatabase({ ...connection, ...LIMITS }, { maxConnections: 8, onError });
  const requestLock: RuntimeLock = async (name, work) =>
    // One connection per account and process.
    requestLocalLock(name, () =>
      locks.transaction(async (tx) => {
        await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`);
        return work();
      }),
    );
  return { requestLock, close: () => locks.close() };
}
