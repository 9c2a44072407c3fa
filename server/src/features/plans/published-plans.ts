import { publishedPlan } from '@meridian/contract/plans';
import type { Plan } from '@meridian/contract/plans';
import { PUBLISHED_FORMAT_VERSION } from '@meridian/contract/published-plans';
import type { PublishedPlanFile, PublishedPlanIndex } from '@meridian/contract/published-plans';
import { uuidV7 } from '../../db/uuid-v7.ts';
import { inParallel } from '../../objects/in-parallel.ts';
import type { ObjectStore } from '../../objects/object-store.ts';

export const INDEX_KEY = 'plans/index.json';
const UPLOADS_AT_ONCE = 4;

export type PublishResult = { publishedCount: number; individualUrls: string[] };

/**
 * Writes the plans under a new revision and then the index that points to it. Earlier revisions are
 * never touched: however this ends, the index names a complete revision, the old one or the new one.
 */
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
