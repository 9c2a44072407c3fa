type Prefetcher = (path: string) => void;

/** A pointer that passes over a list on its way elsewhere wants none of it. */
const REST_MS = 50;

let prefetcher: Prefetcher = () => {};
let resting: ReturnType<typeof setTimeout> | undefined;

/** The table of routes registers here, as links cannot know the pages they lead to. */
export function registerPrefetcher(next: Prefetcher): void {
  prefetcher = next;
}

/** Loads the code of the page at this address, and the data it starts with. */
export function prefetchPath(path: string): void {
  cancelPrefetch();
  if (!savesData()) prefetcher(path);
}

/** The same, if the pointer or the focus stays. */
export function prefetchSoon(path: string, restMs = REST_MS): void {
  cancelPrefetch();
  resting = setTimeout(prefetchPath, restMs, path);
}

export function cancelPrefetch(): void {
  clearTimeout(resting);
}

/** Asked for on a connection that costs per byte: then nothing is loaded before it is needed. */
function savesData(): boolean {
  // Known to some browsers only, and not to the DOM library.
  const { connection } = navigator as { connection?: { saveData?: boolean } };
  return connection?.saveData === true;
}
