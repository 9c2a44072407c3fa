import type { Db } from '../src/db/database.ts';
import { sql } from '../src/db/sql.ts';
import type { PostFixture } from './fixtures.ts';
import { insertPost } from './fixtures.ts';

/** Rows as the engine leaves them. Times are told in seconds from now. */

export type WorkerFixture = {
  id?: string;
  /** Ahead unless given, so that it is alive for as long as a slow machine takes. */
  seenSeconds?: number;
  isStopping?: boolean;
  network?: string;
  claimed?: number;
  published?: number;
  lastMinute?: object;
};

export async function insertWorker(db: Db, fields: WorkerFixture = {}): Promise<void> {
  const { id = 'worker-1', seenSeconds = 600, isStopping = false, network = 'local' } = fields;
  const { claimed = 0, published = 0, lastMinute = {} } = fields;
  await db.execute(sql`
    insert into engine_workers (id, egress, version, network, started_at, seen_at, is_stopping,
      claimed, published, last_minute)
    values (${id}, 'here', '0.1.0', ${network}, now() - interval '1 day',
      now() + make_interval(secs => ${seenSeconds}), ${isStopping}, ${claimed}, ${published},
      ${sql.json(lastMinute)})`);
}

export type HostFixture = { host: string; state?: string; cause?: string | null };

export async function insertHost(db: Db, fields: HostFixture): Promise<void> {
  const { host, state = 'OPEN', cause = null } = fields;
  const retrySeconds = state === 'OPEN' ? null : 90;
  await db.execute(sql`
    insert into hosts (host, state, state_since, retry_at, cause, last_ok_at)
    values (${host}, ${state}, now() - interval '20 minutes',
      now() + make_interval(secs => ${retrySeconds}), ${cause}, now() - interval '21 minutes')`);
}

export type ScheduledFixture = PostFixture & { inSeconds: number; hold?: string | null };

/** A post due then; held for an event when `hold` names one. Returns the id. */
export async function schedulePost(
  db: Db,
  userId: string,
  { inSeconds, hold = null, ...fields }: ScheduledFixture,
): Promise<string> {
  const scheduled_at = new Date(Date.now() + inSeconds * 1000).toISOString();
  const id = await insertPost(db, userId, { scheduled_at, ...fields });
  if (hold !== null) {
    await db.execute(sql`
      update posts set hold = ${hold}, claim_at = 'infinity' where id = ${id}`);
  }
  return id;
}

export type JournalFixture = {
  host?: string;
  rkeys?: readonly string[];
  claimedAt: string;
  sentAt?: string | null;
  settledAt?: string | null;
  outcome?: string | null;
};

export async function insertDelivery(
  db: Db,
  post: { id: string; userId: string; did: string },
  fields: JournalFixture,
): Promise<void> {
  const { host = 'pds.example', rkeys = ['3kabc'], sentAt = null } = fields;
  const { settledAt = null, outcome = null } = fields;
  const writes = rkeys.map((rkey) => ({ rkey, cid: `bafyrei-${rkey}`, record: { text: 'Hello' } }));
  await db.execute(sql`
    insert into deliveries (post_id, user_id, did, host, writes, journalled_at, sent_at, settled_at,
      outcome)
    values (${post.id}, ${post.userId}, ${post.did}, ${host}, ${sql.json(writes)},
      ${fields.claimedAt}, ${sentAt}, ${settledAt}, ${outcome})`);
}

export type AttemptFixture = {
  attempt: number;
  startedAt: string;
  endedAt: string;
  host?: string;
  status?: number | null;
  error?: string | null;
  cause: string;
};

export async function insertAttempt(db: Db, id: string, fields: AttemptFixture): Promise<void> {
  const { host = 'pds.example', status = null, error = null } = fields;
  await db.execute(sql`
    insert into delivery_attempts (post_id, attempt, started_at, ended_at, host, http_status, error,
      cause, worker)
    values (${id}, ${fields.attempt}, ${fields.startedAt}, ${fields.endedAt}, ${host}, ${status},
      ${error}, ${fields.cause}, 'worker-1')`);
}
