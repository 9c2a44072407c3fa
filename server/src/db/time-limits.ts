import type { ClientBase } from 'pg';

/**
 * For work that takes as long as it takes: what an operator has set for a role or a database is meant
 * for requests. A server has only those that its version knows.
 */
export async function liftTimeLimits(client: ClientBase): Promise<void> {
  await client.query(`
    select set_config(name, '0', false) from pg_settings
    where name in ('statement_timeout', 'lock_timeout', 'transaction_timeout',
                   'idle_in_transaction_session_timeout')`);
}
