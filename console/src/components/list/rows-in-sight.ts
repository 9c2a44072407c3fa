/** As high as a row is at least, in whatever shape. */
export const PAGED_ROW_HEIGHT = '3.625rem';
const PAGED_ROW_HEIGHT_PX = 58;
/** Heading, filters and header of the narrowest list: the first row begins below them. */
const ABOVE_PX = 190;

/** How many rows of a list that has just been opened a window of this height can show at most. */
export function rowsInSight(windowHeight: number): number {
  return Math.max(1, Math.ceil((windowHeight - ABOVE_PX) / PAGED_ROW_HEIGHT_PX));
}
