import {
  defaultRangeExtractor,
  type Range,
  useWindowVirtualizer,
  type VirtualItem,
} from '@tanstack/react-virtual';
import { type RefObject, useCallback, useLayoutEffect, useRef, useState } from 'react';
import { useLocation } from 'react-router';
import { recallWindow, rememberWindow } from './window-memory.ts';

/** Of a row that has not been measured yet. */
const ROW_HEIGHT = 58;
/** Rows beyond the edge: enough for the Tab key and for a hurried wheel. */
const OVERSCAN = 10;

export interface RowWindow {
  items: readonly VirtualItem[];
  /** Where the first row begins, and where the last one ends, on the page. */
  start: number;
  end: number;
  measureRow: (row: HTMLTableRowElement | null) => void;
}

/** Which rows of a long list are to be in the document: those in sight, and the one in focus. */
export function useRowWindow(
  body: RefObject<HTMLTableSectionElement | null>,
  keys: readonly string[],
  focusedKey: string | null,
): RowWindow {
  const { key: entry } = useLocation();
  const [left] = useState(() => recallWindow(entry));
  const [scrollMargin, setScrollMargin] = useState(left?.scrollMargin ?? 0);
  const rowHeight = useRef(left?.rowHeight ?? ROW_HEIGHT);
  const width = useRef(left?.width ?? 0);

  const focused = focusedKey === null ? -1 : keys.indexOf(focusedKey);
  // It keeps its state to itself and asks for a render when that changes: nothing here is memoized.
  // oxlint-disable-next-line react/incompatible-library
  const virtualizer = useWindowVirtualizer<HTMLTableRowElement>({
    count: keys.length,
    estimateSize: () => rowHeight.current,
    getItemKey: useCallback((index: number) => keys[index] ?? index, [keys]),
    rangeExtractor: useCallback((range: Range) => withFocused(range, focused), [focused]),
    overscan: OVERSCAN,
    scrollMargin,
    initialRect: { width: window.innerWidth, height: window.innerHeight },
    initialOffset: () => left?.scrollY ?? window.scrollY,
    initialMeasurementsCache: left?.measured ?? [],
    useFlushSync: false,
  });

  // What is above the rows may grow or shrink at any time, and only the document knows. The same
  // number again changes nothing, so this comes to rest.
  // oxlint-disable-next-line react/exhaustive-deps
  useLayoutEffect(() => {
    const top = body.current?.getBoundingClientRect().top ?? 0;
    setScrollMargin(Math.round(top + window.scrollY));
  });

  // In another width the table has another shape: what was measured before tells nothing any more,
  // and only the row at the top of the screen tells where one was.
  useLayoutEffect(() => {
    const rows = [...(body.current?.rows ?? [])].filter((row) => row.dataset['index']);
    const now = document.documentElement.clientWidth;
    if (rows.length === 0 || now === width.current) return;
    const scrolled = virtualizer.scrollOffset ?? 0;
    const isFirst = width.current === 0;
    const top = scrolled > scrollMargin ? virtualizer.getVirtualItemForOffset(scrolled) : undefined;
    width.current = now;
    rowHeight.current = median(rows.map((row) => row.offsetHeight));
    virtualizer.measure();
    for (const row of rows) virtualizer.resizeItem(Number(row.dataset['index']), row.offsetHeight);
    if (top !== undefined && !isFirst) virtualizer.scrollToIndex(top.index, { align: 'start' });
  });

  // Going back leads to the same history entry, and there to the same rows in the same place.
  const leave = useRef(() => {});
  useLayoutEffect(() => {
    leave.current = () =>
      rememberWindow(entry, {
        scrollY: virtualizer.scrollOffset ?? 0,
        width: width.current,
        rowHeight: rowHeight.current,
        scrollMargin,
        measured: virtualizer.takeSnapshot(),
      });
  });
  useLayoutEffect(() => () => leave.current(), []);

  return {
    items: virtualizer.getVirtualItems(),
    start: scrollMargin,
    end: scrollMargin + virtualizer.getTotalSize(),
    measureRow: virtualizer.measureElement,
  };
}

function withFocused(range: Range, focused: number): number[] {
  const indexes = defaultRangeExtractor(range);
  if (focused < 0) return indexes;
  // Its neighbours too: that is where the Tab key leads.
  const kept = [focused - 1, focused, focused + 1].filter((at) => at >= 0 && at < range.count);
  return [...new Set([...indexes, ...kept])].toSorted((a, b) => a - b);
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? ROW_HEIGHT;
}
