import {
  defaultRangeExtractor,
  type Range,
  useWindowVirtualizer,
  type VirtualItem,
} from '@tanstack/react-virtual';
import {
  type FocusEvent,
  type RefObject,
  useCallback,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { useLocation } from 'react-router';
import { onSessionEnd } from '../api/session.ts';
import { DataTableRow, selectOf, type TableBodyProps } from './DataTable.tsx';

/** For a list that comes whole, however long: only the rows around what is in sight are drawn. */
export function WindowedBody<Row>({ columns, rows, rowKey, selection }: TableBodyProps<Row>) {
  const body = useRef<HTMLTableSectionElement>(null);
  const [focusedKey, setFocusedKey] = useState<string | null>(null);
  const keys = useMemo(() => rows.map(rowKey), [rows, rowKey]);
  const { items, start, end, measureRow } = useRowWindow(body, keys, focusedKey);

  function noteFocus(event: FocusEvent<HTMLElement>) {
    const index = event.target.closest<HTMLElement>('tr')?.dataset['index'];
    setFocusedKey(keys[Number(index)] ?? null);
  }

  // On the way to another row the focus is between two: none of them may go.
  function noteBlur({ relatedTarget }: FocusEvent<HTMLElement>) {
    if (body.current?.contains(relatedTarget) !== true) setFocusedKey(null);
  }

  return (
    // Nothing to operate here: the handlers only keep the row that has the focus in the document.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <tbody
      ref={body}
      // The browser's own anchoring would correct what the window has corrected already.
      className="[overflow-anchor:none]"
      onFocus={noteFocus}
      onBlur={noteBlur}
    >
      {items.flatMap(({ key, index, start: rowStart }, place) => {
        const row = rows[index];
        const gap = rowStart - (items[place - 1]?.end ?? start);
        return [
          gap > 0 && <Gap key={`before ${key}`} height={gap} />,
          row !== undefined && (
            <DataTableRow
              key={key}
              ref={measureRow}
              rowKey={rowKey(row)}
              columns={columns}
              row={row}
              index={index}
              {...selectOf(selection, rowKey(row))}
            />
          ),
        ];
      })}
      <Gap key="rest" height={end - (items.at(-1)?.end ?? start)} />
    </tbody>
  );
}

function Gap({ height }: { height: number }) {
  return (
    <tr
      aria-hidden="true"
      style={{ height, padding: 0, border: 0 }}
      className="pointer-events-none"
    />
  );
}

const ROW_HEIGHT = 58;
const OVERSCAN = 10;

/** The rows in sight and the one in focus. All of them reach from `start` to `end` on the page. */
function useRowWindow(
  body: RefObject<HTMLTableSectionElement | null>,
  keys: readonly string[],
  focusedKey: string | null,
) {
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

  // The room above the rows may grow or shrink at any time. The same number again changes nothing.
  // oxlint-disable-next-line react/exhaustive-deps
  useLayoutEffect(() => {
    const top = body.current?.getBoundingClientRect().top ?? 0;
    setScrollMargin(Math.round(top + window.scrollY));
  });

  // In another width the table has another shape: the old measures tell nothing any more, and only
  // the row at the top of the screen tells where one was.
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

interface RememberedWindow {
  scrollY: number;
  width: number;
  rowHeight: number;
  scrollMargin: number;
  measured: VirtualItem[];
}

/** Going back further than this, the list starts at its top. */
const MOST = 20;

const windows = new Map<string, RememberedWindow>();

function rememberWindow(key: string, remembered: RememberedWindow): void {
  windows.delete(key);
  windows.set(key, remembered);
  const [oldest] = windows.keys();
  if (windows.size > MOST && oldest !== undefined) windows.delete(oldest);
}

function recallWindow(key: string): RememberedWindow | undefined {
  const remembered = windows.get(key);
  return remembered?.width === document.documentElement.clientWidth ? remembered : undefined;
}

onSessionEnd(() => windows.clear());
