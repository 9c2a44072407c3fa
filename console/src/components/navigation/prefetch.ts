import type { Params } from 'react-router';

export interface PrefetchArgs {
  params: Params;
  search: URLSearchParams;
}

/** A page may export one, to start the reads it begins with before it is opened. */
export type Prefetch = (args: PrefetchArgs) => void;

type Prefetcher = (path: string) => void;

let prefetcher: Prefetcher = () => {};

/** The table of routes registers here, as links cannot know the pages they lead to. */
export function registerPrefetcher(next: Prefetcher): void {
  prefetcher = next;
}

/** Loads the code of the page at this address, and the data it starts with. */
export function prefetchPath(path: string): void {
  prefetcher(path);
}
