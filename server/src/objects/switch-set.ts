import { inParallel } from './in-parallel.ts';
import { INDEX_KEY, isPlanFileKey, PLANS_FOLDER, readSet } from './published-set.ts';
import type { PublishedSet } from './published-set.ts';
import type { ObjectStore } from './types.ts';

const AT_ONCE = 4;

export type CurrentSet = { readonly set: PublishedSet; readonly presentKeys: string[] };

/**
 * The set in force. An index of ours says exactly what belongs beside it, whatever a cut-off
 * publish has left there; beside another index the files are taken as they are.
 */
export async function readCurrentSet(store: ObjectStore, signal: AbortSignal): Promise<CurrentSet> {
  const index = await store.get(INDEX_KEY, { signal });
  const keys = await store.list(`${PLANS_FOLDER}/`, { signal });
  const presentKeys = keys.filter(isPlanFileKey);
  const own = index === null ? null : readSet(index.bytes);
  const set = own ?? {
    index: index?.bytes ?? null,
    files: await readFiles(store, presentKeys, signal),
  };
  return { set, presentKeys };
}

async function readFiles(
  store: ObjectStore,
  keys: string[],
  signal: AbortSignal,
): Promise<Map<string, Uint8Array>> {
  const files = new Map<string, Uint8Array>();
  await inParallel(keys, AT_ONCE, async (key) => {
    const file = await store.get(key, { signal });
    if (file !== null) files.set(key, file.bytes);
  });
  return files;
}

/** What to write and remove; an index of `undefined` stays as it is, of `null` goes away. */
export type SetChange = {
  readonly files: ReadonlyMap<string, Uint8Array>;
  readonly index: Uint8Array | null | undefined;
  readonly removals: readonly string[];
};

export function changeTo(next: PublishedSet, presentKeys: readonly string[]): SetChange {
  return { ...next, removals: presentKeys.filter((key) => !next.files.has(key)) };
}

/** Back to the previous set, by the keys that may have been written or removed. */
export function changeBack(previous: PublishedSet, attempted: ReadonlySet<string>): SetChange {
  const touched = [...attempted].filter((key) => key !== INDEX_KEY);
  return {
    files: new Map([...previous.files].filter(([key]) => attempted.has(key))),
    index: attempted.has(INDEX_KEY) ? previous.index : undefined,
    removals: touched.filter((key) => !previous.files.has(key)),
  };
}

/** Whatever beside the index is not what the index says. */
export async function changeToAgree(store: ObjectStore, signal: AbortSignal): Promise<SetChange> {
  const { set, presentKeys } = await readCurrentSet(store, signal);
  const present = await readFiles(store, presentKeys, signal);
  const wrong = [...set.files].filter(([key, bytes]) => {
    const found = present.get(key);
    return found === undefined || !Buffer.from(bytes).equals(found);
  });
  // Without an index nothing is published, and so nothing beside it can be wrong.
  const removals = set.index === null ? [] : changeTo(set, presentKeys).removals;
  return { files: new Map(wrong), index: undefined, removals };
}

/**
 * For a store whose files change one by one. Files first, then the index, then what is no longer
 * named: at no moment does the index name a file that is missing. Notes every key before it is
 * touched, since a call that failed may have had its effect all the same.
 */
export async function applyChange(
  store: ObjectStore,
  change: SetChange,
  signal: AbortSignal,
  attempted: Set<string> = new Set(),
): Promise<void> {
  const put = async ([key, bytes]: readonly [string, Uint8Array]): Promise<void> => {
    attempted.add(key);
    await store.put(key, bytes, { signal });
  };
  const remove = async (key: string): Promise<void> => {
    attempted.add(key);
    await store.remove(key, { signal });
  };
  await inParallel(change.files, AT_ONCE, put);
  if (change.index === null) await remove(INDEX_KEY);
  else if (change.index !== undefined) await put([INDEX_KEY, change.index]);
  await inParallel(change.removals, AT_ONCE, remove);
}
