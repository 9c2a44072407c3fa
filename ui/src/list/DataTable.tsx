import { memo, type MouseEvent, type ReactNode, type Ref } from 'react';
import { NavigationType, useNavigationType } from 'react-router';
import { Button } from '../Button.tsx';
import { SkeletonRows, SortTh, Table, Td, Th, VisuallyHidden } from '../Table.tsx';
import { type FailableQuery, LoadError } from '../failures.tsx';
import { useAfterPaint } from '../hooks.ts';
import { EmptyState, LoadingNote } from '../placeholders.tsx';
import type { RowSelection } from './selection.ts';

export interface DataTableProps<Row, Sort extends string> {
  /** What it lists, for screen readers: 'Users'. */
  label: string;
  columns: readonly Column<Row, Sort>[];
  /** Undefined until they are there. */
  rows: readonly Row[] | undefined;
  rowKey: (row: Row) => string;
  query: FailableQuery;
  /** The rows are to give way to others that are on their way. */
  isOld?: boolean | undefined;
  /** The default message of a failed load, or how to word the server's. */
  failed: string;
  describeError?: ((message: string) => string) | undefined;
  /** 'No users found', and the next useful step. */
  emptyText: string;
  emptyIcon: ReactNode;
  emptyAction?: ReactNode;
  /** Given when filters are in force: the empty list then offers to clear them. */
  onClearFilters?: (() => void) | undefined;
  loadingText?: string | undefined;
  skeletonRows?: number | undefined;
  rowHeight?: string | undefined;
  /** So many rows fill the screen when the page opens; all of them when left out. */
  inSight?: number | undefined;
  /** For many columns, as in Table. */
  cellsPerLine?: number | undefined;
  /** WindowedBody for a list that comes whole, however long; all rows at once without it. */
  Body?: ((props: TableBodyProps<Row>) => ReactNode) | undefined;
  sort?: TableSort<Sort> | undefined;
  /** Given where rows can be selected. */
  selection?: RowSelection<Row> | undefined;
}

/** A table and its four states: loading, empty, failed, full. */
export function DataTable<Row, Sort extends string = never>({
  label,
  columns,
  rows,
  rowKey,
  query,
  isOld = false,
  failed,
  describeError,
  emptyText,
  emptyIcon,
  emptyAction,
  onClearFilters,
  loadingText = 'Loading...',
  skeletonRows = 10,
  rowHeight,
  inSight,
  cellsPerLine,
  Body,
  sort,
  selection,
}: DataTableProps<Row, Sort>) {
  const Rows = Body ?? WholeBody<Row>;
  const isLoading = rows === undefined && query.error === null;
  const isEmpty = rows?.length === 0;
  const clear = onClearFilters && <Button onClick={onClearFilters}>Clear filters</Button>;
  const nextStep = clear ?? emptyAction;
  const isSelected = (row: Row) => selection?.isAll === true || selection?.ids.has(rowKey(row));
  const pageBox = () => (
    <SelectBox
      label="Select all on this page"
      checked={rows?.every(isSelected) === true}
      mixed={rows?.some(isSelected) === true && !rows.every(isSelected)}
      onSelect={(isOn) => selection?.selectPage(isOn)}
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
          <DataTableHead columns={columns} sort={sort} box={selection && rows && pageBox()} />
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

function skeletonOf({
  header,
  skeleton,
  unlabelled,
  align,
  wide,
  corner,
  roomy,
}: Column<never, string>) {
  const label = unlabelled === true ? undefined : header;
  return { label, width: skeleton ?? '60%', align, wide, corner, roomy };
}

interface DataTableHeadProps<Row, Sort extends string> {
  columns: readonly Column<Row, Sort>[];
  sort?: TableSort<Sort> | undefined;
  /** Stands in the margin of the first header: a checkbox for all rows. */
  box?: ReactNode;
}

const DIRECTIONS = { asc: 'ascending', desc: 'descending' } as const;

export function DataTableHead<Row, Sort extends string>({
  columns,
  sort,
  box,
}: DataTableHeadProps<Row, Sort>) {
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

/** The checkbox in the margin of the first column takes nothing from its content. */
function withRoom(width: string | undefined): string | undefined {
  return width === undefined ? undefined : `calc(${width} + var(--select-room, 0px))`;
}

interface DataTableRowProps<Row> {
  columns: readonly Column<Row, string>[];
  row: Row;
  rowKey: string;
  /** Where the table holds only some of its rows: which one this is, counted from 0. */
  index?: number | undefined;
  ref?: Ref<HTMLTableRowElement> | undefined;
  isSelected?: boolean | undefined;
  /** Both given where rows can be selected. */
  onSelect?: RowSelection['onSelect'] | undefined;
  labelOf?: RowSelection<Row>['labelOf'] | undefined;
}

function Cells<Row>({
  columns,
  row,
  rowKey,
  index,
  ref,
  isSelected = false,
  onSelect,
  labelOf,
}: DataTableRowProps<Row>) {
  const box = onSelect && labelOf && (
    <SelectBox
      label={`Select ${labelOf(row)}`}
      checked={isSelected}
      onSelect={(isOn, isRange) => onSelect(rowKey, isOn, isRange)}
    />
  );
  return (
    // The header is the first row of the table.
    // A click is a shortcut to the link inside, which the keyboard reaches.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions
    <tr
      ref={ref}
      data-index={index}
      aria-rowindex={index === undefined ? undefined : index + 2}
      data-selected={isSelected ? '' : undefined}
      onClick={openRow}
    >
      {columns.map(({ header, cell, align, unlabelled, wide, corner, roomy }, column) => (
        <Td
          key={header}
          label={unlabelled === true ? undefined : header}
          align={align}
          wide={wide}
          corner={corner}
          roomy={roomy}
          box={column === 0 ? box : undefined}
        >
          {cell(row)}
        </Td>
      ))}
    </tr>
  );
}

/** Drawn again only when it shows something else: scrolling passes by hundreds of them. */
export const DataTableRow = memo(Cells) as typeof Cells; // memo forgets that it is generic

/** All rows: those in sight with the first frame, the others right after it. */
export function WholeBody<Row>({
  columns,
  rows,
  rowKey,
  inSight = Infinity,
  selection,
}: TableBodyProps<Row>) {
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

/** What the rows of a table are made of. */
export interface TableBodyProps<Row> {
  /** At module scope, so that a row is not drawn again without need. */
  columns: readonly Column<Row, string>[];
  rows: readonly Row[];
  rowKey: (row: Row) => string;
  /** So many rows fill the screen: the first frame needs no more. */
  inSight?: number | undefined;
  /** Given where rows can be selected. */
  selection?: RowSelection<Row> | undefined;
}

/** What a row is told of the selection: each by itself, so that only a row that changes is drawn again. */
export function selectOf<Row>(selection: RowSelection<Row> | undefined, key: string) {
  if (selection === undefined) return undefined;
  const { ids, isAll, onSelect, labelOf } = selection;
  return { isSelected: isAll || ids.has(key), onSelect, labelOf };
}

interface SelectBoxProps {
  label: string;
  checked: boolean;
  /** Some, but not all. */
  mixed?: boolean;
  onSelect: (isOn: boolean, isRange: boolean) => void;
}

/** A checkbox in the margin of a cell. The whole margin can be pressed. */
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
        onClick={(event: MouseEvent<HTMLInputElement>) =>
          onSelect(event.currentTarget.checked, event.shiftKey)
        }
        onChange={() => {}}
        className="size-4 cursor-pointer"
      />
    </label>
  );
}

const OPERABLE = 'a, button, input, select, textarea, label, summary';

/**
 * A click anywhere in a row follows the row's own link, the one marked `data-row-link`, with the
 * same modifier keys. The link stays the only way for the keyboard and for screen readers.
 */
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
export interface Column<Row, Sort extends string = never> {
  header: string;
  /** Where the cells speak for themselves: the header is for screen readers. */
  headerHidden?: boolean | undefined;
  cell: (row: Row) => ReactNode;
  /** The name of the sort that a press on the header asks for. */
  sort?: Sort | undefined;
  align?: 'start' | 'end' | undefined;
  width?: string | undefined;
  /** The width of its skeleton. */
  skeleton?: string | undefined;
  /** The cell speaks for itself: no label beside it where rows are stacked. */
  unlabelled?: boolean | undefined;
  /** Where a row is a block of cells, some to a line, it takes two places. */
  wide?: boolean | undefined;
  /** Where rows are narrow: stands at the end of the first line, without its label. */
  corner?: boolean | undefined;
  /** Left out where the columns of the table would be too narrow with it. */
  roomy?: boolean | undefined;
}

export interface TableSort<Sort extends string> {
  column: Sort;
  order: 'asc' | 'desc';
  /** Called with what a press on a header means. */
  onSort: (column: Sort, order: 'asc' | 'desc') => void;
}

/** A press on the active column turns it round; another column starts with the newest. */
export function nextOrder<Sort extends string>(
  { column, order }: TableSort<Sort>,
  pressed: Sort,
): 'asc' | 'desc' {
  return column === pressed && order === 'desc' ? 'asc' : 'desc';
}
