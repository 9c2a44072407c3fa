import { type FocusEvent, useMemo, useRef, useState } from 'react';
import { DataTableRow } from './DataTableRow.tsx';
import { selectOf, type TableBodyProps } from './table-body.ts';
import { useRowWindow } from './use-row-window.ts';

/** For a list that comes whole, however long: only the rows around what is in sight are drawn. */
export function WindowedBody<Row>({ columns, rows, rowKey, selection }: TableBodyProps<Row>) {
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
