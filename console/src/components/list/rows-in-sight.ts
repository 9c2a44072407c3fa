/** As high as a row is at least, in whatever shape. */
export const PAGED_ROW_HEIGHT = '3.625rem';

/** Heading, filters and header of the list with the fewest, and its lowest row. */
const TABLE = { abovePx: 215, rowPx: 58 };
/** In a narrower window every row is a block of cells (table-wide.css). */
const BLOCKS = { abovePx: 260, rowPx: 100 };
const BLOCKS_BELOW_PX = 928;

/** How many rows of a list that has just been opened a window of this size can show at most. */
export function rowsInSight(width: number, height: number): number {
  const { abovePx, rowPx } = width < BLOCKS_BELOW_PX ? BLOCKS : TABLE;
  return Math.max(1, Math.ceil((height - abovePx) / rowPx));
}
