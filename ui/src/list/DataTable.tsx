import { memo, type MouseEvent, type ReactNode, type Ref } from 'react';
import { NavigationType, useNavigationType } from 'react-router';
import { Button } from '../Button.tsx';
import {
  type CellLook,
  SkeletonRows,
  SortTh,
  Table,
  type TableProps,
  Td,
  Th,
  VisuallyHidden,
} from '../Table.tsx';
import { type FailableQuery, LoadError } from '../failures.tsx';
import { useAfterPaint } from '../hooks.ts';
import { EmptyState, LoadingNote } from '../placeholders.tsx';
import type { RowSelection } from './selection.ts';

export interface DataTableProps<Row, Sort extends string>
  extends
    Omit<TableBodyProps<Row>, 'rows'>,
    Pick<TableProps, 'label' | 'rowHeight' | 'cellsPerLine'> {
  columns: readonly Column<Row, Sort>[];
  rows: readonly Row[] | undefined;
  query: FailableQuery;
  /** The rows are to give way to others that are on their way. */
  isOld?: boolean | undefined;
  failed: string;
  describeError?: ((message: string) => string) | undefined;
  emptyText: string;
  emptyIcon: ReactNode;
  emptyAction?: ReactNode;
  onClearFilters?: (() => void) | undefined;
  loadingText?: string | undefined;
  skeletonRows?: number | undefined;
  /** WindowedBody for a list that comes whole, however long; all rows at once without it. */
  Body?: ((props: TableBodyProps<Row>) => ReactNode) | undefined;
  sort?: TableSort<Sort> | undefined;
}

export function DataTable<Row, Sort extends string = never>(props: DataTableProps<Row, Sort>) {
  const { label, columns, rows, rowKey, query, isOld = false, failed, describeError } = props;
  const { emptyText, emptyIcon, emptyAction, onClearFilters, loadingText = 'Loading...' } = props;
  const { skeletonRows = 10, rowHeight, inSight, cellsPerLine, Body, sort, selection } = props;
  const Rows = Body ?? WholeBody<Row>;
  const isLoading = rows === undefined && query.error === null;
  const isEmpty = rows?.length === 0;
  const clear = onClearFilters && <Button onClick={onClearFilters}>Clear filters</Button>;
  const nextStep = clear ?? emptyAction;
  const isSelected = (row: Row) => selection?.isAll === true || selection?.ids.has(rowKey(row));
  const pageBox = selection && rows && (
    <SelectBox
      label="Select all on this page"
      checked={rows.every(isSelected)}
      mixed={rows.some(isSelected) && !rows.every(isSelected)}
      onSelect={(isOn) => selection.selectPage(isOn)}
    />
  );
  return (
    <>
      {/* Old rows stay readable when reading them again fails; the message stands above them. */}
      <LoadError className="m-5" query={query} failed={failed} describe={describeError} />
      {isLoading && <LoadingNote>{loadingText}</LoadingNote>}
      {/* Always there, so that a screen reader hears what comes into it: not the button's words. */}
      <div aria-live="polite">
        {isEmpty && (
          <EmptyState icon={emptyIcon} className={nextStep ? 'pb-3' : undefined}>
            {emptyText}
          </EmptyState>
        )}
      </div>
      {isEmpty && nextStep && <div className="flex justify-center px-6 pb-12">{nextStep}</div>}
      {!isEmpty && (rows !== undefined || isLoading) && (
        <Table
          label={label}
          busy={isOld}
          rowHeight={rowHeight}
          cellsPerLine={cellsPerLine}
          rowCount={Body === undefined ? undefined : rows?.length}
          selectable={selection !== undefined}
        >
          <DataTableHead columns={columns} sort={sort} box={pageBox} />
          {rows === undefined ? (
            <tbody>
              <SkeletonRows rows={skeletonRows} columns={columns.map(skeletonOf)} />
            </tbody>
          ) : (
            <Rows {...{ columns, rows, rowKey, inSight, selection }} />
          )}
        </Table>
      )}
    </>
  );
}

const cellOf = ({ header, unlabelled, align, wide, corner, roomy }: Column<never, string>) => ({
  label: unlabelled === true ? undefined : header,
  align,
  wide,
  corner,
  roomy,
});

const skeletonOf = (column: Column<never, string>) => ({
  ...cellOf(column),
  width: column.skeleton ?? '60%',
});

interface DataTableHeadProps<Row, Sort extends string> {
  columns: readonly Column<Row, Sort>[];
  sort?: TableSort<Sort> | undefined;
  box?: ReactNode;
}

export function DataTableHead<Row, Sort extends string>(props: DataTableHeadProps<Row, Sort>) {
  const { columns, sort, box } = props;
  return (
    <thead>
      <tr aria-rowindex={1}>
        {columns.map(({ header, headerHidden = false, sort: name, align, width, roomy }, column) =>
          sort === undefined || name === undefined ? (
            <Th
              key={header}
              label={column === 0 ? header : undefined}
              align={align}
              width={column === 0 ? withRoom(width) : width}
              roomy={roomy}
            >
              {column === 0 && box}
              {headerHidden ? <VisuallyHidden>{header}</VisuallyHidden> : header}
            </Th>
          ) : (
            <SortTh
              key={header}
              align={align}
              width={width}
              direction={sort.column === name ? DIRECTIONS[sort.order] : undefined}
              onSort={() => sort.onSort(name, nextOrder(sort, name))}
            >
              {header}
            </SortTh>
          ),
        )}
      </tr>
    </thead>
  );
}

const DIRECTIONS = { asc: 'ascending', desc: 'descending' } as const;

/** The checkbox in the margin of the first column takes nothing from its content. */
const withRoom = (width: string | undefined) => width && `calc(${width} + var(--select-room, 0px))`;

interface DataTableRowProps<Row> {
  columns: readonly Column<Row, string>[];
  row: Row;
  rowKey: string;
  index?: number | undefined;
  ref?: Ref<HTMLTableRowElement> | undefined;
  isSelected?: boolean | undefined;
  onSelect?: RowSelection['onSelect'] | undefined;
  labelOf?: RowSelection<Row>['labelOf'] | undefined;
}

function Cells<Row>(props: DataTableRowProps<Row>) {
  const { columns, row, rowKey, index, ref, isSelected = false, onSelect, labelOf } = props;
  const box = onSelect && labelOf && (
    <SelectBox
      label={`Select ${labelOf(row)}`}
      checked={isSelected}
      onSelect={(isOn, isRange) => onSelect(rowKey, isOn, isRange)}
    />
  );
  return (
    // A click is a shortcut to the link inside, which the keyboard reaches.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions
    <tr
      ref={ref}
      data-index={index}
      aria-rowindex={index === undefined ? undefined : index + 2}
      data-selected={isSelected ? '' : undefined}
      onClick={openRow}
    >
      {columns.map((column, place) => (
        <Td key={column.header} {...cellOf(column)} box={place === 0 ? box : undefined}>
          {column.cell(row)}
        </Td>
      ))}
    </tr>
  );
}

/** Drawn again only when it shows something else: scrolling passes by hundreds of them. */
export const DataTableRow = memo(Cells) as typeof Cells; // memo forgets that it is generic

export interface TableBodyProps<Row> {
  /** At module scope, so that a row is not drawn again without need. */
  columns: readonly Column<Row, string>[];
  rows: readonly Row[];
  rowKey: (row: Row) => string;
  /** So many rows fill the screen: the first frame needs no more. All of them when left out. */
  inSight?: number | undefined;
  selection?: RowSelection<Row> | undefined;
}

export function WholeBody<Row>(props: TableBodyProps<Row>) {
  const { columns, rows, rowKey, inSight = Infinity, selection } = props;
  // Back leads to the scroll position that was left, which may be at the last row.
  const isReturn = useNavigationType() === NavigationType.Pop;
  const isPainted = useAfterPaint(isReturn || rows.length <= inSight);
  const drawn = isPainted ? rows : rows.slice(0, inSight);
  const missing = rows.length - drawn.length;
  return (
    <tbody>
      {drawn.map((row) => (
        <DataTableRow
          key={rowKey(row)}
          rowKey={rowKey(row)}
          columns={columns}
          row={row}
          {...selectOf(selection, rowKey(row))}
        />
      ))}
      {missing > 0 && (
        <tr aria-hidden="true" style={{ height: `calc(${missing} * var(--row-height))` }} />
      )}
    </tbody>
  );
}

/** The selection as one row sees it, so that only a row that changes is drawn again. */
export function selectOf<Row>(selection: RowSelection<Row> | undefined, key: string) {
  if (selection === undefined) return undefined;
  const { ids, isAll, onSelect, labelOf } = selection;
  return { isSelected: isAll || ids.has(key), onSelect, labelOf };
}

interface SelectBoxProps {
  label: string;
  checked: boolean;
  mixed?: boolean;
  onSelect: (isOn: boolean, isRange: boolean) => void;
}

export function SelectBox({ label, checked, mixed = false, onSelect }: SelectBoxProps) {
  return (
    <label className="select-box">
      <input
        type="checkbox"
        aria-label={label}
        checked={checked}
        ref={(input) => {
          // Only a property can say it.
          if (input !== null) input.indeterminate = mixed;
        }}
        // A click, also by the space bar, says whether Shift is held; a change does not.
        onClick={({ currentTarget, shiftKey }) => onSelect(currentTarget.checked, shiftKey)}
        onChange={() => {}}
        className="size-4 cursor-pointer"
      />
    </label>
  );
}

const OPERABLE = 'a, button, input, select, textarea, label, summary';

/** A click anywhere in a row follows its `data-row-link`, with the same modifier keys. */
function openRow(event: MouseEvent<HTMLTableRowElement>): void {
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

/** One column of a DataTable. Kept at module scope: it knows the row and nothing else. */
export interface Column<Row, Sort extends string = never> extends CellLook {
  header: string;
  headerHidden?: boolean | undefined;
  cell: (row: Row) => ReactNode;
  sort?: Sort | undefined;
  width?: string | undefined;
  skeleton?: string | undefined;
  /** The cell speaks for itself: no label beside it where rows are stacked. */
  unlabelled?: boolean | undefined;
}

interface TableSort<Sort extends string> {
  column: Sort;
  order: 'asc' | 'desc';
  onSort: (column: Sort, order: 'asc' | 'desc') => void;
}

/** A press on the active column turns it round; another column starts with the newest. */
export function nextOrder<Sort extends string>(
  { column, order }: TableSort<Sort>,
  pressed: Sort,
): 'asc' | 'desc' {
  return column === pressed && order === 'desc' ? 'asc' : 'desc';
}
