import type { ClientConfig } from 'pg';
import type { Author } from '../../audit/author.ts';
import { recordEvent } from '../../audit/entry.ts';
import type { Database } from '../../db/database.ts';
import { DatabaseUnavailable } from '../../db/errors.ts';
import { AppError } from '../../http/app-error.ts';
import type { ObjectStore } from '../../objects/object-store.ts';
import { withoutActivePrice } from './active-price.ts';
import { listPlans, plansWithoutActivePrice, readClock } from './plans.store.ts';
import { withPublishLock } from './publish-lock.ts';
import { writeRevision } from './published-plans.ts';
import type { PublishResult } from './published-plans.ts';

/** With the wait for the lock well under the time that the publish call may take. */
const UPLOAD_TIMEOUT_MS = 18_000;

export type PlanPublisherOptions = {
  db: Database;
  /** For the connection that holds the lock. */
  connection: ClientConfig;
  objects: ObjectStore;
  /** How long to wait for a publish of another process. */
  lockTimeoutMs?: number;
  uploadTimeoutMs?: number;
};

export function createPlanPublisher(options: PlanPublisherOptions) {
  const { db, connection, objects, lockTimeoutMs, uploadTimeoutMs = UPLOAD_TIMEOUT_MS } = options;

  /** One snapshot of the database, read before the first upload begins. */
  const readPlans = () =>
    db.transaction(
      async (tx) => ({
        plans: await listPlans(tx, { includeInactive: false, includeInvisible: false }),
        unpriced: await plansWithoutActivePrice(tx),
        now: await readClock(tx),
      }),
      { isolation: 'repeatable read', readOnly: true },
    );

  const publishUnderLock = () =>
    withPublishLock(
      connection,
      async (lockLost) => {
        const { plans, unpriced, now } = await readPlans();
        if (unpriced.length > 0) throw withoutActivePrice(unpriced);
        const signal = AbortSignal.any([lockLost, AbortSignal.timeout(uploadTimeoutMs)]);
        return writeRevision(objects, plans, now.toISOString(), signal);
      },
      lockTimeoutMs,
    );

  // Requests that arrive during a publish share the next one, which has yet to read the plans: one
  // connection for the lock, however many wait.
  let current: Promise<unknown> = Promise.resolve();
  let next: Promise<PublishResult> | null = null;
  const startNext = async () => {
    await Promise.allSettled([current]);
    next = null;
    const started = publishUnderLock();
    current = started;
    return started;
  };

  return {
    /**
     * Publishes all active and visible plans. What the public has seen cannot be rolled back, so the
     * audit entry is written before; a failure is a second entry.
     */
    async publish(by: Author): Promise<PublishResult> {
      await recordEvent(db, { by, action: 'planPublish' }, null);
      try {
        return await (next ??= startNext());
      } catch (error) {
        // If this entry cannot be written either, the first failure is the one to report.
        await recordEvent(db, { by, action: 'planPublishFailed' }, null).catch(() => {});
        if (error instanceof AppError || error instanceof DatabaseUnavailable) throw error;
        throw new AppError('publish_failed', { cause: error });
      }
    },
  };
}
