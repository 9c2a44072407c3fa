import type { MouseEvent } from 'react';

const OPERABLE = 'a, button, input, select, textarea, label, summary';

/**
 * A click anywhere in a row follows the row's own link, the one marked `data-row-link`, with the
 * same modifier keys. The link stays the only way for the keyboard and for screen readers.
 */
export function openRow(event: MouseEvent<HTMLTableRowElement>): void {
  const { target, currentTarget: row, ctrlKey, metaKey, shiftKey, altKey } = event;
  // A tooltip is drawn elsewhere, though React passes its clicks on.
  if (!(target instanceof Element) || !row.contains(target)) return;
  if (event.defaultPrevented || target.closest(OPERABLE) !== null) return;
  // Text that was just selected is to be read or copied.
  if (window.getSelection()?.isCollapsed === false) return;
  const keys = { ctrlKey, metaKey, shiftKey, altKey };
  row
    .querySelector('a[data-row-link]')
    ?.dispatchEvent(new window.MouseEvent('click', { bubbles: true, cancelable: true, ...keys }));
}
