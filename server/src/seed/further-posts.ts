import type { createDemoWriter } from '@meridian/demo';
import type { Logger } from 'pino';
import { startBackgroundTask } from '../background-task.ts';
import type { BackgroundTask } from '../background-task.ts';
import type { Db } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import { uuidV7 } from '../db/uuid-v7.ts';
import { POST_COLLECTION } from '../network/network.ts';

const MINUTE_MS = 60_000;
const NIGHT_ENDS_AT = 6;
const NIGHT_STEP = 10;
/** In place of the random bytes of an id. The posts are known by it again, and no other is ever deleted here. */
const MARK = Buffer.from('demonstrat');
const ID_END = MARK.toString('hex').slice(-12);

/** Every minute, by the clock of this machine every ten between midnight and six. */
export function nextDueAt(now: Date): Date {
  const stepMs = (now.getHours() < NIGHT_ENDS_AT ? NIGHT_STEP : 1) * MINUTE_MS;
  return new Date((Math.floor(now.getTime() / stepMs) + 1) * stepMs);
}

/**
 * Keeps one post of a demonstration user scheduled, which the engine publishes like any other. None is
 * added while the last one waits, as in a suspension. When a user writes, what that user wrote here more
 * than a day ago is deleted with its record: some 1,500 posts are there at most.
 */
export function createFurtherPosts(db: Db, write: ReturnType<typeof createDemoWriter>) {
  let last: string | null = null;
  return async (now: Date): Promise<void> => {
    const dueAt = nextDueAt(now);
    const id = uuidV7(dueAt.getTime(), MARK);
    if (id === last) return;
    const { did, content, facets, embed, languages } = write();
    await db.execute(sql`
      with gone as (
        delete from posts p using users u
        where u.did = ${did} and p.user_id = u.id and right(p.id::text, 12) = ${ID_END}
          and p.status in ('COMPLETED', 'FAILED', 'CANCELLED')
          and p.scheduled_at < ${now}::timestamptz - interval '1 day'
        returning p.id, p.at_rkey),
      journal as (delete from deliveries d using gone where d.post_id = gone.id)
      delete from local_records r using gone
      where r.did = ${did} and r.collection = ${POST_COLLECTION} and r.rkey = gone.at_rkey`);
    const added = await db.execute(sql`
      insert into posts (id, user_id, content, facets, embed, languages, scheduled_at)
      select ${id}, u.id, ${content}, ${facets?.text ?? null}::jsonb, ${embed?.text ?? null}::jsonb,
        ${[...languages]}::text[], ${dueAt}
      from users u
      where u.did = ${did} and u.status = 'ACTIVE' and u.is_active and not exists (
        select from posts p where p.id = ${last}::uuid and p.status in ('PENDING', 'PROCESSING'))
      on conflict do nothing`);
    if (added > 0) last = id;
  };
}

export function startFurtherPosts(db: Db, log: Logger): BackgroundTask {
  let next: ReturnType<typeof createFurtherPosts> | undefined;
  return startBackgroundTask({
    name: 'schedule further demonstration posts',
    intervalMs: MINUTE_MS / 2,
    log,
    async run() {
      if (next === undefined) {
        const { createDemoWriter: createWriter } = await import('@meridian/demo');
        next = createFurtherPosts(db, createWriter(Date.now()));
      }
      await next(new Date());
    },
  });
}
