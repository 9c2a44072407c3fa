import type { ReactNode } from 'react';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { SkeletonRows } from '../../ui/SkeletonRows.tsx';
import { Table } from '../../ui/Table.tsx';
import { Button } from '../../ui/Button.tsx';
import { type FailableQuery, LoadError } from '../LoadError.tsx';
import { LoadingNote } from '../LoadingNote.tsx';
import type { Column, TableSort } from './column.ts';
import { DataTableHead } from './DataTableHead.tsx';
import { SelectBox } from './SelectBox.tsx';
import type { TableBodyProps } from './table-body.ts';
import type { RowSelection } from './use-row-selection.ts';
import { WholeBody } from './WholeBody.tsx';

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
