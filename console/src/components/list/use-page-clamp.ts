import { useEffect } from 'react';
import type { PagePosition } from './list-params.ts';

interface Clamp {
  position: PagePosition;
  pageSize: number;
  /** Both undefined while they are not known for certain. */
  total: number | undefined;
  rows: number | undefined;
  goToPage: (page: number) => void;
}

/**
 * True while a page number that no longer exists is being replaced by the last one, or a cursor behind
 * which no rows are left by the page number.
 */
export function usePageClamp({ position, pageSize, total, rows, goToPage }: Clamp): boolean {
  const { page, cursor } = position;
  const lastPage = total === undefined ? page : Math.max(1, Math.ceil(total / pageSize));
  // Where rows came the page exists, whatever the total says.
  const isStale = rows === 0 && (page > lastPage || cursor !== undefined);
  const target = Math.min(page, lastPage);

  // The URL itself has to change, which only a navigation can do.
  useEffect(() => {
    if (isStale) goToPage(target);
    // goToPage is new on every render and always does the same.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [isStale, target]);

  return isStale;
}
