/** The address each history entry of this visit was opened from, by the entry's key. */
const openedFrom = new Map<string, string>();
/** How each list was last looked at: its filters and its page. */
const lastSearch = new Map<string, string>();

export interface Visit {
  key: string;
  pathname: string;
  search: string;
}

/** Called for every navigation that adds an entry. */
export function recordVisit(from: Visit, to: Visit): void {
  openedFrom.set(to.key, from.pathname);
}

export function recordSearch({ pathname, search }: Visit): void {
  lastSearch.set(pathname, search);
}

/** Whether going one step back leads to this page. */
export function wasOpenedFrom(key: string, pathname: string): boolean {
  return openedFrom.get(key) === pathname;
}

/** The list as it was last seen. */
export function lastAddressOf(pathname: string): string {
  return `${pathname}${lastSearch.get(pathname) ?? ''}`;
}

export function forgetVisits(): void {
  openedFrom.clear();
  lastSearch.clear();
}
