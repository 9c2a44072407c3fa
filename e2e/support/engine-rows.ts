import type { Post, User } from '@meridian/contract';
import type { Database } from '../../server/src/db/database.ts';
import { sql } from '../../server/src/db/sql.ts';
import {
  insertAttempt,
  insertDelivery,
  insertHost,
  insertWorker,
} from '../../server/test/engine-fixtures.ts';
import type {
  AttemptFixture,
  HostFixture,
  JournalFixture,
  WorkerFixture,
} from '../../server/test/engine-fixtures.ts';

const DAY = 86_400;

/** What an engine would have left in the database. */
export class EngineRows {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** One worker, alive for as long as any test takes: no page says that there is none. */
  async reset(): Promise<void> {
    await this.clear();
    await this.worker({ seenSeconds: DAY });
  }

  async clear(): Promise<void> {
    for (const table of [sql`engine_workers`, sql`hosts`, sql`deliveries`]) {
      await this.#db.execute(sql`delete from ${table}`);
    }
    await this.#db.execute(sql`delete from delivery_attempts`);
  }

  worker(fields?: WorkerFixture): Promise<void> {
    return insertWorker(this.#db, fields);
  }

  host(fields: HostFixture): Promise<void> {
    return insertHost(this.#db, fields);
  }

  delivery(post: Post, fields: JournalFixture): Promise<void> {
    const did = post.user?.did ?? '';
    return insertDelivery(this.#db, { id: post.id, userId: post.user_id, did }, fields);
  }

  attempt(post: Post, fields: AttemptFixture): Promise<void> {
    return insertAttempt(this.#db, post.id, fields);
  }

  /** Held for an event, as a worker does it. */
  async hold({ id }: Post, hold: string): Promise<void> {
    await this.#db.execute(sql`
      update posts set hold = ${hold}, claim_at = 'infinity' where id = ${id}`);
  }

  /** As a worker or another administrator changes it. */
  async settle({ id }: Post, status: string, cause: string | null = null): Promise<void> {
    await this.#db.execute(sql`
      update posts set status = ${status}, attempt = attempt + 1, claim_at = null, cause = ${cause},
        executed_at = now() where id = ${id}`);
  }

  /** Posts that failed, the first a minute ago, each further one a minute earlier. Returns the ids. */
  async fail(
    user: User,
    { cause, error, count }: { cause: string | null; error: string; count: number },
  ): Promise<string[]> {
    const rows = await this.#db.many<{ id: string }>(sql`
      insert into posts (id, user_id, content, status, scheduled_at, updated_at, cause, error_msg)
      select gen_random_uuid(), ${user.id}, 'Failed post ' || n, 'FAILED', failed_at, failed_at,
        ${cause}::text, ${error}::text
      from generate_series(1, ${count}::integer) as n,
        lateral (select now() - n * interval '1 minute') as t (failed_at)
      returning id`);
    return rows.map(({ id }) => id);
  }

  /** As if the administrators had been away for so many minutes before this visit. */
  async leaveFor(minutes: number): Promise<void> {
    await this.#db.execute(sql`
      update admin_visits set since = now() - make_interval(mins => ${minutes})`);
  }

  /** Written past the API, which schedules no threads and no replies. */
  async extend({ id }: Post, thread: readonly object[], replyTo: string): Promise<void> {
    await this.#db.execute(sql`
      update posts set thread = ${sql.json(thread)}, reply_to = ${replyTo} where id = ${id}`);
  }

  async suspend(since: string): Promise<void> {
    await this.#db.execute(sql`update service_settings set is_service_suspended = true`);
    await this.#db.execute(sql`update service_settings set suspended_at = ${since}`);
  }
}
