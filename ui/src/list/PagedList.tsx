import type { UseQueryResult } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { Cursors } from '@meridian/contract/fields';
import { Card } from '../Card.tsx';
import { DataAge } from '../DataAge.tsx';
import { AppLink } from '../links.tsx';
import { DataTable, type DataTableProps } from './DataTable.tsx';
import { ListCount, Pager, pageSpan, usePageClamp } from './Pager.tsx';
import { FilterBar } from './filters.tsx';
import type { ListParams, PagePosition, Params } from './params.ts';
import { type BulkList, useBulkSelection } from './selection.ts';

type TableProps<Row, Sort extends string> = Pick<
  DataTableProps<Row, Sort>,
  | 'label'
  | 'columns'
  | 'rowKey'
  | 'failed'
  | 'describeError'
  | 'loadingText'
  | 'emptyText'
  | 'emptyIcon'
  | 'emptyAction'
  | 'onClearFilters'
  | 'rowHeight'
  | 'cellsPerLine'
  | 'sort'
>;

interface PagedListProps<Answer, Row, Sort extends string> extends TableProps<Row, Sort> {
  list: Pick<ListParams<Params>, 'values' | 'position' | 'goToPage' | 'searchOf'>;
  query: UseQueryResult<Answer>;
  rowsOf: (answer: Answer) => readonly Row[];
  pageSize: number;
  noun: string;
  filters: ReactNode;
  chips?: ReactNode;
  actions?: ReactNode;
  bulk?: BulkList<Row> | undefined;
}

export function PagedList<
  Answer extends {
    total?: number | undefined;
    totalIsCapped?: true | undefined;
    cursors?: Cursors | undefined;
  },
  Row,
  Sort extends string = never,
>(props: PagedListProps<Answer, Row, Sort>) {
  const { list, query, rowsOf, pageSize, noun, filters, chips, actions, bulk, ...table } = props;
  const { position, values, goToPage, searchOf } = list;
  const { page } = position;
  const view = JSON.stringify(values);
  const shown = useShownPage(query, position, view);
  const isStale = usePageClamp({
    position,
    pageSize,
    total: query.data?.total,
    rows: query.data && rowsOf(query.data).length,
    goToPage,
  });
  const answer = isStale ? undefined : shown.answer;
  const rows = answer && rowsOf(answer);
  const span =
    rows && pageSpan({ page: shown.page, pageSize, rows: rows.length, total: answer?.total });
  const isCapped = answer?.totalIsCapped === true;
  const selection = useBulkSelection(bulk, view, rows?.map(table.rowKey) ?? []);
  // The cursors of an old page lead to the neighbours of that one.
  const cursors = shown.isOld ? undefined : answer?.cursors;
  const cursorTo = (to: number) => (to > page ? cursors?.next : cursors?.previous) || undefined;
  return (
    <Card as="div">
      <FilterBar
        actions={actions}
        count={
          <div className="flex flex-col @4xl:items-end">
            <ListCount rows={rows?.length} total={span?.total} isCapped={isCapped} noun={noun} />
            <DataAge at={query.dataUpdatedAt} />
          </div>
        }
      >
        {filters}
      </FilterBar>
      {chips}
      <DataTable
        rowHeight={PAGED_ROW_HEIGHT}
        cellsPerLine={3}
        {...table}
        // 'Nothing found' is said of what was asked, never of what was asked before.
        rows={shown.isOld && rows?.length === 0 ? undefined : rows}
        query={query}
        isOld={shown.isOld}
        skeletonRows={pageSize}
        inSight={rowsInSight(window.innerWidth, window.innerHeight)}
        selection={selection}
      />
      {span && (
        <Pager
          page={page}
          span={span}
          isCapped={isCapped}
          hasNext={cursors === undefined ? page < span.lastPage : cursors.next !== null}
          noun={noun}
          renderLink={(to, link) => (
            <AppLink {...link} to={{ search: searchOf({ page: to, cursor: cursorTo(to) }) }} />
          )}
        />
      )}
      {bulk && selection && bulk.renderBar({ selection, total: answer?.total, isCapped, noun })}
    </Card>
  );
}

/**
 * The page asked for, or the last one that came: its rows stay on screen, as old ones, until the
 * next are there, and when those do not come. Rows of another view (filters and sort) stay only
 * while their successors are on the way: under an error they would be a lie.
 */
export function useShownPage<Answer>(
  query: Pick<UseQueryResult<Answer>, 'data' | 'error'>,
  { page }: PagePosition,
  view: string,
) {
  const [last, setLast] = useState<{ answer: Answer; page: number; view: string }>();
  const { data, error } = query;
  if (data !== undefined) {
    // Not an effect later: the pager must never name other rows.
    if (last?.answer !== data || last.page !== page || last.view !== view) {
      setLast({ answer: data, page, view });
    }
    return { answer: data, page, isOld: false };
  }
  if (last === undefined || (error !== null && last.view !== view)) {
    return { answer: undefined, page, isOld: false };
  }
  return { answer: last.answer, page: last.page, isOld: error === null };
}

const PAGED_ROW_HEIGHT = '3.625rem';

/** The room above the rows in the list with the fewest filters, and its lowest row. */
const TABLE = { abovePx: 215, rowPx: 58 };
/** In a narrower window every row is a block of cells (table-wide.css). */
const BLOCKS = { abovePx: 260, rowPx: 100 };
const BLOCKS_BELOW_PX = 928;

/** The most rows that a window of this size can show of a list that has just been opened. */
export function rowsInSight(width: number, height: number): number {
  const { abovePx, rowPx } = width < BLOCKS_BELOW_PX ? BLOCKS : TABLE;
  return Math.max(1, Math.ceil((height - abovePx) / rowPx));
}
