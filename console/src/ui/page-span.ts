export interface PageOfRows {
  /** Counted from 1. */
  page: number;
  pageSize: number;
  /** How many rows came, which may be fewer or more than a page. */
  rows: number;
  /** What the server says; undefined, or 0 over rows, where it says nothing. */
  total: number | undefined;
}

export interface PageSpan {
  /** The first and last row, counted from 1; both 0 where there is none. */
  from: number;
  to: number;
  /** Undefined where the server gave none, or one that its own rows disprove. */
  total: number | undefined;
  lastPage: number;
}

/** What a page holds, told from the rows that came rather than from those that were asked for. */
export function pageSpan({ page, pageSize, rows, total }: PageOfRows): PageSpan {
  const before = (page - 1) * pageSize;
  const seen = rows === 0 ? 0 : before + rows;
  const known = total === undefined || total < seen ? undefined : total;
  return { from: Math.min(before + 1, seen), to: seen, total: known, lastPage: lastPage() };

  function lastPage(): number {
    // Without a total a full page is the only sign of another one.
    if (known === undefined) return rows < pageSize ? page : page + 1;
    return rows > 0 && rows >= known ? page : Math.max(1, Math.ceil(known / pageSize));
  }
}
