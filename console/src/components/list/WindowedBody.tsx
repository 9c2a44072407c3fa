import { type FocusEvent, useMemo, useRef, useState } from 'react';
import { DataTableRow } from './DataTableRow.tsx';
import type { TableBodyProps } from './table-body.ts';
import { useRowWindow } from './use-row-window.ts';

/** For a list that comes whole, however long: only the rows around what is in sight are drawn. */
export function WindowedBody<Row>({ columns, rows, rowKey }: TableBodyProps<Row>) {
  const body = useRef<HTMLTableSectionElement>(null);
  const [focusedKey, setFocusedKey] = useState<string | null>(null);
  // The keys say everything about the rows that their places depend on.
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

  let drawnTo = start;
  return (
    // The browser's own anchoring would correct what the window has corrected already.
    <tbody ref={body} className="[overflow-anchor:none]" onFocus={noteFocus} onBlur={noteBlur}>
      {items.flatMap(({ key, index, start: rowStart, end: rowEnd }) => {
        const row = rows[index];
        if (row === undefined) return [];
        const gap = rowStart - drawnTo;
        drawnTo = rowEnd;
        return [
          gap > 0 && <Gap key={`before ${key}`} height={gap} />,
          <DataTableRow key={key} ref={measureRow} columns={columns} row={row} index={index} />,
        ];
      })}
      <Gap key="rest" height={end - drawnTo} />
    </tbody>
  );
}

/** The room of the rows that are not drawn. */
function Gap({ height }: { height: number }) {
  return (
    <tr
      aria-hidden="true"
      style={{ height, padding: 0, border: 0 }}
      className="pointer-events-none"
    />
  );
}
