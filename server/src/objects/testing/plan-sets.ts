import { INDEX_KEY, planFileKey } from '../published-set.ts';
import type { ObjectStore } from '../types.ts';

const IDS = Array.from({ length: 6 }, (_, digit) => `0198c0de-0000-7000-8000-00000000000${digit}`);

export type NumberedPlan = { readonly id: string; readonly round: number; readonly filler: string };

/** A different set for every round: each plan says its round, and one plan is always missing. */
export function plansOfRound(round: number, filler = ''): NumberedPlan[] {
  return IDS.filter((_, at) => at !== round % IDS.length).map((id) => ({ id, round, filler }));
}

export type SeenSet = {
  readonly revision: string;
  readonly round: number;
  readonly plans: readonly NumberedPlan[];
};

async function readJson(store: ObjectStore, key: string): Promise<unknown> {
  const object = await store.get(key);
  return object === null ? null : JSON.parse(Buffer.from(object.bytes).toString('utf8'));
}

export async function readIndex(store: ObjectStore): Promise<SeenSet> {
  // The tests write it themselves, in exactly this form.
  const index = (await readJson(store, INDEX_KEY)) as Omit<SeenSet, 'round'> | null;
  if (index === null) throw new Error('There is no index');
  return { ...index, round: index.plans[0]?.round ?? -1 };
}

export async function readPlanFile(
  store: ObjectStore,
  id: string,
): Promise<(NumberedPlan & { revision: string }) | null> {
  // As above.
  return (await readJson(store, planFileKey(id))) as (NumberedPlan & { revision: string }) | null;
}
