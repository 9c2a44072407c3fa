import { setTimeout as delay } from 'node:timers/promises';
import { publishedPlan } from '@meridian/contract/plans';
import { PUBLISHED_FORMAT_VERSION } from '@meridian/contract/published-plans';
import type { Plan } from '@meridian/contract/plans';
import type { PublishedPlanFile, PublishedPlanIndex } from '@meridian/contract/published-plans';
import { Client } from 'pg';
import type { ClientConfig } from 'pg';
import { recordEvent } from '../../audit/audit.store.ts';
import type { Author } from '../../audit/audit.store.ts';
import { uuidV7 } from '../../db/columns.ts';
import { KEEP_ALIVE, settingStatements } from '../../db/database.ts';
import type { Database } from '../../db/database.ts';
import { DatabaseUnavailable, driverError } from '../../db/errors.ts';
import { LOCKS } from '../../db/sql.ts';
import { AppError } from '../../http/errors.ts';
import { inParallel } from '../../objects/objects.ts';
import type { ObjectStore } from '../../objects/objects.ts';
import { withoutActivePrice } from './plans.service.ts';
import { listPlans, plansWithoutActivePrice, readClock } from './plans.store.ts';

/** Together with the wait for the lock this is well under the time that the call may take. */
const UPLOAD_TIMEOUT_MS = 18_000;

export type PlanPublisherOptions = {
  db: Database;
  connection: ClientConfig;
  objects: ObjectStore;
  lockTimeoutMs?: number;
  uploadTimeoutMs?: number;
};

export function createPlanPublisher(options: PlanPublisherOptions) {
  const { db, connection, objects, lockTimeoutMs, uploadTimeoutMs = UPLOAD_TIMEOUT_MS } = options;

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

  // Requests that arrive during a publish share the next one: one connection waits for the lock.
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
    /** Published files cannot be rolled back, so the audit entry is written before; a failure is a second one. */
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

const LOCK_TIMEOUT_MS = 10_000;
const CLOSE_TIMEOUT_MS = 2_000;

/** The server must neither close the idle session nor keep it when this machine is gone. */
const SESSION_OF_LOCK = {
  idle_session_timeout: 0,
  tcp_keepalives_idle: 10,
  tcp_keepalives_interval: 5,
  tcp_keepalives_count: 3,
};

/** A publish that read the plans earlier must not replace the index of a later one. */
export async function withPublishLock<T>(
  connection: ClientConfig,
  work: (lockLost: AbortSignal) => Promise<T>,
  lockTimeoutMs: number = LOCK_TIMEOUT_MS,
): Promise<T> {
  const client = new Client({
    connectionTimeoutMillis: 1_500,
    ...connection,
    application_name: 'meridian publish',
    ...KEEP_ALIVE,
  });
  const lock = new AbortController();
  // Without a listener a connection that breaks during the work would end the process.
  client.on('error', (cause) => lock.abort(new Error('The publish lock was lost', { cause })));
  try {
    await takeLock(client, lockTimeoutMs);
    return await work(lock.signal);
  } finally {
    // This releases the lock too; a server that does not respond must not delay the next publish.
    await Promise.race([client.end(), delay(CLOSE_TIMEOUT_MS, undefined, { ref: false })]);
  }
}

async function takeLock(client: Client, lock_timeout: number): Promise<void> {
  try {
    await client.connect();
    await client.query(settingStatements({ ...SESSION_OF_LOCK, lock_timeout }));
    await client.query('select pg_advisory_lock($1)', [LOCKS.publish]);
  } catch (error) {
    throw driverError(error);
  }
}

export const INDEX_KEY = 'plans/index.json';
const UPLOADS_AT_ONCE = 4;

export type PublishResult = { publishedCount: number; individualUrls: string[] };

/** Earlier revisions are never touched: however this ends, the index names a complete one. */
export async function writeRevision(
  store: ObjectStore,
  plans: readonly Plan[],
  publishedAt: string,
  signal: AbortSignal,
): Promise<PublishResult> {
  const revision = uuidV7();
  const header = { formatVersion: PUBLISHED_FORMAT_VERSION, revision, publishedAt } as const;
  // Parsing drops every field that is not public.
  const entries = plans.map((plan) => ({
    key: `plans/${revision}/${plan.id}.json`,
    plan: publishedPlan.parse(plan),
  }));
  const put = async (key: string, content: PublishedPlanFile | PublishedPlanIndex) => {
    signal.throwIfAborted();
    await store.put(key, Buffer.from(JSON.stringify(content)), { signal });
  };
  await inParallel(entries, UPLOADS_AT_ONCE, ({ key, plan }) => put(key, { ...header, ...plan }));
  const listed = entries.map(({ key, plan }) =>
    Object.assign({}, plan, { url: store.publicUrl(key) }),
  );
  await put(INDEX_KEY, { ...header, plans: listed });
  return { publishedCount: listed.length, individualUrls: listed.map(({ url }) => url) };
}
