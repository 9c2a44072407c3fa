import { useEffect } from 'react';

interface Clamp {
  page: number;
  pageSize: number;
  /** Both undefined while they are not known for certain. */
  total: number | undefined;
  rows: number | undefined;
  goToPage: (page: number) => void;
}

/** True while a page number that no longer exists is being replaced by the last one. */
export function usePageClamp({ page, pageSize, total, rows, goToPage }: Clamp): boolean {
  const lastPage = total === undefined ? page : Math.max(1, Math.ceil(total / pageSize));
  // Where rows came the page exists, whatever the total says.
  const isStale = rows === 0 && page > lastPage;

  // The URL itself has to change, which only a navigation can do.
  useEffect(() => {
    if (isStale) goToPage(lastPage);
    // goToPage is new on every render and always does the same.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [isStale, lastPage]);

  return isStale;
}
