import type { ClientBase } from 'pg';
import { DatabaseUnavailable } from './errors.ts';

const unconfirmed = new WeakSet<ClientBase>();

/**
 * An administrator may end the wait of a commit for a synchronous standby: the commit is there then, but a
 * failover would lose it. The server says so in a notice alone, whose text is in its own language.
 */
export function watchCommits(client: ClientBase): void {
  client.on('notice', ({ routine }) => {
    if (routine === 'SyncRepWaitForLSN') unconfirmed.add(client);
  });
}

/** The effect of such a statement is as unknown as after a broken connection. */
export function requireConfirmed(client: ClientBase): void {
  if (!unconfirmed.delete(client)) return;
  throw new DatabaseUnavailable(new Error('No standby has confirmed the commit'));
}
