import type { CountedPage } from './counted-page.ts';
import type { Place, RowKey } from './page-start.ts';

/** Whose walk it is: a session. */
export type Reader = { readonly tokenHash: Buffer };
type Walk = { reader: Reader; list: Record<string, string | undefined> };

/** Pages remembered in all; one takes about 300 bytes. */
const MAX_PAGES = 20_000;
const KEPT_MS = 15 * 60 * 1000;

/**
 * Somebody who goes from page to page meets no row twice and misses none, whatever is added or
 * deleted meanwhile: the page after one shown begins after that page's last row, not at a number
 * of rows. Kept in this process only; a page that is not remembered begins at its number.
 */
export function createWalks(clock: () => number = Date.now) {
  // In the order in which they were shown, so that the first is the one to go.
  const pages = new Map<string, { after: RowKey; at: number }>();

  function find(page: string): RowKey | null {
    const found = pages.get(page);
    return found === undefined || clock() - found.at > KEPT_MS ? null : found.after;
  }

  function remember(page: string, after: RowKey): void {
    pages.delete(page);
    pages.set(page, { after, at: clock() });
    const [oldest] = pages.keys();
    if (pages.size > MAX_PAGES && oldest !== undefined) pages.delete(oldest);
  }

  return {
    async step<Row>(
      { reader, list }: Walk,
      offset: number,
      read: (place: Place) => Promise<CountedPage<Row>>,
    ): Promise<CountedPage<Row>> {
      const walk = `${reader.tokenHash.toString('base64url')} ${JSON.stringify(list)}`;
      const after = offset === 0 ? null : find(`${walk} ${offset}`);
      const page = await read({ after, offset });
      if (page.last !== null) remember(`${walk} ${offset + page.rows.length}`, page.last);
      // Where rows were added before this page, the walk ends at a lower number than the total.
      const isEnd = after !== null && page.last === null;
      return isEnd ? { ...page, total: offset + page.rows.length } : page;
    },
  };
}
