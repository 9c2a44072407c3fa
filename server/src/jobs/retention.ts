import type { Database } from '../db/database.ts';
import { inParallel } from '../objects/in-parallel.ts';
import type { ObjectStore } from '../objects/object-store.ts';
import * as store from './retention.store.ts';
import type { Deleted } from './retention.store.ts';

export const RETENTION_TASK = 'retention';
/** Every hour; the queue runs it in one process only. */
export const RETENTION_CRON = `17 * * * * ${RETENTION_TASK} ?max=3&jobKey=${RETENTION_TASK}`;

const FIRST_ID = '00000000-0000-0000-0000-000000000000';
const OBJECTS_AT_ONCE = 8;

type Surroundings = { db: Database; objects: ObjectStore; signal: AbortSignal };

/**
 * Deletes what the plans in force no longer keep: final posts past `data_retention_days`, and pictures
 * without a post; and what a deleted person left. In batches, each a statement of its own; stopped, it goes on with the next run.
 */
export async function runRetention({ db, objects, signal }: Surroundings): Promise<Deleted> {
  const deleted: Deleted = { posts: 0, pictures: 0 };
  for (let after: string | undefined = FIRST_ID; after !== undefined && !signal.aborted;) {
    const people = await store.listPeople(db, after);
    const limited = people.filter(({ days }) => days >= 0);
    deleted.posts += await repeated(signal, () => store.deleteOldPosts(db, limited));
    after = people.at(-1)?.userId;
  }
  deleted.pictures = await repeated(signal, () => store.deleteUnusedPictures(db));
  await repeated(signal, () => deleteObjects(db, objects));
  await store.deleteLostSessions(db);
  await store.saveRetention(db, deleted);
  return deleted;
}

/** Until a batch finds nothing; the sum of all batches. */
async function repeated(signal: AbortSignal, batch: () => Promise<number>): Promise<number> {
  let sum = 0;
  while (!signal.aborted) {
    const done = await batch();
    if (done === 0) break;
    sum += done;
  }
  return sum;
}

/** A store that does not respond fails the job; the queue runs it again. */
async function deleteObjects(db: Database, objects: ObjectStore): Promise<number> {
  const keys = await store.listDeletedObjects(db);
  await inParallel(keys, OBJECTS_AT_ONCE, (key) => objects.delete(key));
  await store.forgetDeletedObjects(db, keys);
  return keys.length;
}
