/** The fields that the last response to each call left out, for the note under the page. */
const leftOut = new Map<string, readonly string[]>();
const listeners = new Set<() => void>();

const keyOf = (name: unknown, params: unknown) => JSON.stringify([name, params ?? {}]);

export function noteLeftOut(name: string, params: unknown, fields: readonly string[]): void {
  leftOut.set(keyOf(name, params), fields);
  for (const listener of listeners) listener();
}

export function subscribeLeftOut(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The fields that are filled in on a page, by the keys of the queries it shows. */
export function leftOutIn(queryKeys: readonly (readonly unknown[])[]): string[] {
  const fields = queryKeys.flatMap(([name, params]) => leftOut.get(keyOf(name, params)) ?? []);
  return [...new Set(fields)].toSorted();
}
