import type { Db } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';

/** The name of the task in the queue. */
export const BULK_TASK = 'bulk-change';

/** Several times what a batch takes; two jobs of one change would only take turns. */
const STALLED = sql`interval '10 seconds'`;
const PREVIEW_LIFE = sql`interval '1 hour'`;

/** The queue keeps the lock of a killed worker for hours: `replace` queues another job beside it. */
const ADD_JOB = sql`graphile_worker.add_job(
  ${BULK_TASK}, json_build_object('id', id), job_key => ${BULK_TASK}::text || ':' || id,
  job_key_mode => 'replace')`;

export async function startJob(tx: Db, id: string): Promise<void> {
  await tx.execute(sql`select ${ADD_JOB} from bulk_changes where id = ${id}`);
}

/** After a kill, a stop, an error or a copy of the database: whatever ended the job. */
export async function reviveStalled(db: Db): Promise<number> {
  return db.execute(sql`
    with stalled as (
      update bulk_changes set beat_at = now()
      where state in ('RUNNING', 'STOPPING') and beat_at < now() - ${STALLED} returning id)
    select ${ADD_JOB} from stalled`);
}

/** Lets the next runner take it up at once. */
export async function releaseJob(db: Db, id: string): Promise<void> {
  await db.execute(sql`update bulk_changes set beat_at = now() - 2 * ${STALLED} where id = ${id}`);
}

/** One at a time: each may hold many rows. */
export async function deleteOldPreviews(db: Db): Promise<void> {
  await db.execute(sql`
    delete from bulk_changes where id = (
      select id from bulk_changes
      where state = 'PREVIEWED' and created_at < now() - ${PREVIEW_LIFE} order by created_at limit 1)`);
}
