/**
 * The ref of the chosen one in a row that scrolls sideways: on a phone it may lie beyond the edge.
 * The row is its offset parent. The page itself never scrolls for it.
 */
export function centerInRow(chosen: HTMLElement | null): void {
  const row = chosen?.offsetParent;
  if (chosen === null || !row) return;
  row.scrollLeft = chosen.offsetLeft - (row.clientWidth - chosen.offsetWidth) / 2;
}
