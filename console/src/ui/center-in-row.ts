import type { FocusEvent } from 'react';

/**
 * The ref of the chosen one in a row that scrolls sideways: on a phone it may lie beyond the edge.
 * The row is its offset parent. The page itself never scrolls for it.
 */
export function centerInRow(chosen: HTMLElement | null): void {
  const row = chosen?.offsetParent;
  if (chosen === null || !row) return;
  row.scrollLeft = chosen.offsetLeft - (row.clientWidth - chosen.offsetWidth) / 2;
}

/**
 * For what the keyboard focuses in such a row: Chromium leaves a part of it beyond the edge. Not for
 * the pointer, under which a row that scrolls between press and release loses the click.
 */
export function showFocusedInRow({ currentTarget }: FocusEvent<HTMLElement>): void {
  if (currentTarget.matches(':focus-visible')) centerInRow(currentTarget);
}
