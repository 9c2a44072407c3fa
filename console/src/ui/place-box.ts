export interface Box {
  top: number;
  left: number;
  width: number;
  height: number;
}

interface Size {
  width: number;
  height: number;
}

export interface Placement {
  side: 'top' | 'bottom';
  align: 'start' | 'center' | 'end';
}

const GAP = 6;
const MARGIN = 8;

/**
 * Where a box stands that belongs to another: on the wanted side, on the other one where only
 * that has room, and never over the left or right edge of the window.
 */
export function placeBox(
  anchor: Box,
  box: Size,
  view: Size,
  { side, align }: Placement,
): { top: number; left: number } {
  const above = anchor.top - GAP - box.height;
  const below = anchor.top + anchor.height + GAP;
  const fitsAbove = above >= MARGIN;
  const fitsBelow = below + box.height <= view.height - MARGIN;
  const isAbove = side === 'top' ? fitsAbove || !fitsBelow : fitsAbove && !fitsBelow;

  const spare = anchor.width - box.width;
  const wanted = anchor.left + { start: 0, center: spare / 2, end: spare }[align];
  const left = Math.max(MARGIN, Math.min(wanted, view.width - MARGIN - box.width));
  return { top: isAbove ? above : below, left };
}

/** Puts an open popover beside its anchor. */
export function placePopover(
  popover: HTMLElement,
  anchor: HTMLElement,
  placement: Placement,
): void {
  const view = { width: document.documentElement.clientWidth, height: window.innerHeight };
  const { top, left } = placeBox(
    anchor.getBoundingClientRect(),
    popover.getBoundingClientRect(),
    view,
    placement,
  );
  popover.style.top = `${top}px`;
  popover.style.left = `${left}px`;
}
