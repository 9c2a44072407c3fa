import { publishedPlan } from '@meridian/contract/plans';
import type { ClientConfig } from 'pg';
import type { Author } from '../../audit/author.ts';
import { recordEvent } from '../../audit/entry.ts';
import type { Database } from '../../db/database.ts';
import { DatabaseUnavailable } from '../../db/errors.ts';
import { AppError } from '../../http/app-error.ts';
import type { ObjectStore } from '../../objects/object-store.ts';
import { publishPlanFiles, repairPlanFiles } from '../../objects/publish.ts';
import type { PublishResult } from '../../objects/publish.ts';
import { withoutActivePrice } from './active-price.ts';
import { listPlans, plansWithoutActivePrice, readClock } from './plans.store.ts';
import { withPublishLock } from './publish-lock.ts';
import { sharedTurns } from './shared-turns.ts';

export type PlanPublisherOptions = {
  db: Database;
  /** For the connection that holds the lock. */
  connection: ClientConfig;
  objects: ObjectStore;
  /** How long to wait for another process that is publishing. */
  waitMs?: number;
};
export type PlanPublisher = ReturnType<typeof createPlanPublisher>;

export function createPlanPublisher(options: PlanPublisherOptions) {
  const { db, connection, objects, waitMs } = options;

  /** One moment of the database, read before the first upload begins. */
  const snapshot = () =>
    db.transaction(
      async (tx) => ({
        plans: await listPlans(tx, { includeInactive: false, includeInvisible: false }),
        unpriced: await plansWithoutActivePrice(tx),
        now: await readClock(tx),
      }),
      { isolation: 'repeatable read', readOnly: true },
    );

  const publishUnderLock = sharedTurns(() =>
    withPublishLock(
      connection,
      async (held) => {
        const { plans, unpriced, now } = await snapshot();
        // An earlier version let a currency go that a plan needed.
        if (unpriced.length > 0) throw withoutActivePrice(unpriced);
        // Only what the public schema names leaves the house.
        const files = plans.map((plan) => publishedPlan.parse(plan));
        return publishPlanFiles(objects, files, { now, held });
      },
      waitMs,
    ),
  );

  return {
    /**
     * All active and visible plans, as one committed state of the database. What the public has seen
     * cannot be rolled back, so it goes on record before; a failure is a second entry.
     */
    async publish(by: Author): Promise<PublishResult> {
      await recordEvent(db, { by, action: 'planPublish' }, null);
      try {
        return await publishUnderLock();
      } catch (error) {
        // Whatever keeps this from being written too, the first failure is what the caller hears.
        await recordEvent(db, { by, action: 'planPublishFailed' }, null).catch(() => {});
        if (error instanceof AppError || error instanceof DatabaseUnavailable) throw error;
        throw new AppError('publish_failed', { cause: error });
      }
    },

    /** For the start of a server: undoes what a process that died while publishing left half done. */
    repair: (): Promise<void> =>
      withPublishLock(connection, (held) => repairPlanFiles(objects, { held }), waitMs),
  };
}
