import type { Db } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';

/** Few enough for the time limit of a statement. */
const BATCH = sql.whole(1_000);

/** From here until the commit nothing can be scheduled for the person. */
export async function lockHandle(tx: Db, userId: string): Promise<string | null> {
  const row = await tx.maybeOne<{ handle: string }>(
    sql`select handle from users where id = ${userId} for update`,
  );
  return row?.handle ?? null;
}

/** With their journal, but not those that the engine is sending. Returns whether posts are left. */
export async function deletePosts(tx: Db, userId: string): Promise<boolean> {
  for (;;) {
    const { deleted } = await tx.one<{ deleted: number }>(sql`
      with gone as (
        delete from posts where status <> 'PROCESSING' and id in (
          select id from posts where user_id = ${userId} and status <> 'PROCESSING' limit ${BATCH})
        returning id),
      journal as (delete from deliveries where post_id in (select id from gone))
      select count(*)::integer as deleted from gone`);
    if (deleted === 0) break;
  }
  const { found } = await tx.one<{ found: boolean }>(
    sql`select exists (select from posts where user_id = ${userId}) as found`,
  );
  return found;
}

/** With everything that belongs to the person alone: sessions, account, plans, pictures. */
export async function deletePerson(tx: Db, userId: string): Promise<void> {
  await tx.execute(sql`delete from idempotency_keys where admin_id = ${userId}`);
  await tx.execute(sql`delete from catch_up where user_id = ${userId}`);
  // Of posts that were deleted before.
  await tx.execute(
    sql`delete from deliveries where user_id = ${userId} and deleted_at is not null`,
  );
  await tx.execute(sql`delete from users where id = ${userId}`);
}
