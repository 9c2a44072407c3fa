import { AppError } from '../http/app-error.ts';
import { isUuid } from '../http/uuid.ts';
import { composeSet, folderFiles, planFileKey, PLANS_FOLDER } from './published-set.ts';
import type { PublicPlan, PublishedSet } from './published-set.ts';
import { applyChange, changeBack, changeTo, changeToAgree, readCurrentSet } from './switch-set.ts';
import type { ObjectStore } from './types.ts';

export type PublishResult = { publishedCount: number; individualUrls: string[] };

export type PublishLimits = { readonly publishMs: number; readonly restoreMs: number };
/** Together well under the 35 seconds after which a publish must have answered. */
const LIMITS: PublishLimits = { publishMs: 18_000, restoreMs: 12_000 };

export type PublishOptions = {
  readonly now?: Date;
  readonly limits?: PublishLimits;
  /** Ends when the caller may write no longer: nothing is written from then on, not even back. */
  readonly held?: AbortSignal;
};

/**
 * It did not come to its end. `isRestored` says whether all is as before: not so when the store failed
 * during the clean-up too, or when the right to write was lost.
 */
export class PublishError extends AppError {
  readonly isRestored: boolean;

  constructor(cause: unknown, isRestored: boolean) {
    super('publish_failed', { cause });
    this.name = 'PublishError';
    this.isRestored = isRestored;
  }
}

/** The end of the last publish of each store: two at once would tread on each other's files. */
const lastPublish = new WeakMap<ObjectStore, Promise<void>>();

/**
 * Writes `plans/index.json` and `plans/{id}.json` for these plans, in this order, and removes the
 * files of all others: all of it or, with a PublishError that is restored, none of it. Where several
 * servers share a store, the caller lets one publish at a time, and says when that time is over.
 */
export function publishPlanFiles(
  store: ObjectStore,
  plans: readonly PublicPlan[],
  { now = new Date(), limits = LIMITS, held = new AbortController().signal }: PublishOptions = {},
): Promise<PublishResult> {
  const published = afterLastPublish(store, async () => {
    assertDistinctIds(plans);
    const next = composeSet(plans, now.toISOString());
    const { replaceFolder } = store;
    if (replaceFolder === undefined) return publishOneByOne(store, next, limits, held);
    return publishAtOnce(async () => {
      held.throwIfAborted();
      await replaceFolder(PLANS_FOLDER, folderFiles(next));
    });
  });
  return published.then(() => ({
    publishedCount: plans.length,
    individualUrls: plans.map(({ id }) => store.publicUrl(planFileKey(id))),
  }));
}

/**
 * Makes the files agree with the index again after a server died in the middle of a publish; for
 * the start of a server. As with a publish, one at a time over all servers.
 */
export function repairPlanFiles(
  store: ObjectStore,
  { limits = LIMITS, held = new AbortController().signal }: PublishOptions = {},
): Promise<void> {
  return afterLastPublish(store, async () => {
    if (store.replaceFolder !== undefined) return;
    const signal = within(limits.publishMs, held);
    await applyChange(writable(store, signal), await changeToAgree(store, signal), signal);
  });
}

function afterLastPublish(store: ObjectStore, work: () => Promise<void>): Promise<void> {
  const turn = (lastPublish.get(store) ?? Promise.resolve()).then(work);
  // The next one waits for the end of this one, however it ends.
  lastPublish.set(
    store,
    turn.catch(() => {}),
  );
  return turn;
}

function assertDistinctIds(plans: readonly PublicPlan[]): void {
  const ids = new Set(plans.map(({ id }) => id));
  if (ids.size === plans.length && plans.every(({ id }) => isUuid(id))) return;
  throw new PublishError(new Error('Every plan needs a UUID of its own'), true);
}

async function publishAtOnce(replace: () => Promise<void>): Promise<void> {
  try {
    await replace();
  } catch (cause) {
    throw new PublishError(cause, true);
  }
}

async function publishOneByOne(
  store: ObjectStore,
  next: PublishedSet,
  limits: PublishLimits,
  held: AbortSignal,
): Promise<void> {
  const publishing = within(limits.publishMs, held);
  const current = await readCurrentSet(store, publishing).catch((cause: unknown) => {
    throw new PublishError(cause, true);
  });
  const attempted = new Set<string>();
  const change = changeTo(next, current.presentKeys);
  try {
    await applyChange(writable(store, publishing), change, publishing, attempted);
  } catch (cause) {
    // Another may be writing by now, and what is there may be its own.
    if (held.aborted) throw new PublishError(held.reason, false);
    const restoring = within(limits.restoreMs, held);
    const back = changeBack(current.set, attempted);
    await applyChange(writable(store, restoring), back, restoring).catch((second: unknown) => {
      throw new PublishError(new AggregateError([cause, second], 'Neither done nor undone'), false);
    });
    throw new PublishError(cause, true);
  }
}

function within(limitMs: number, held: AbortSignal): AbortSignal {
  return AbortSignal.any([AbortSignal.timeout(limitMs), held]);
}

/** The store until the signal ends it. Asked before every write, as not every store heeds a signal. */
function writable(store: ObjectStore, signal: AbortSignal): ObjectStore {
  return {
    ...store,
    async put(key, bytes, options) {
      signal.throwIfAborted();
      await store.put(key, bytes, options);
    },
    async remove(key, options) {
      signal.throwIfAborted();
      await store.remove(key, options);
    },
  };
}
