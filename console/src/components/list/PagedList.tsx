import type { Cursors } from '@meridian/contract/fields';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Card } from '../../ui/Card.tsx';
import { pageSpan } from '../../ui/page-span.ts';
import { Pager } from '../../ui/Pager.tsx';
import { AppLink } from '../navigation/AppLink.tsx';
import { DataAge } from '../DataAge.tsx';
import { DataTable, type DataTableProps } from './DataTable.tsx';
import { FilterBar } from './FilterBar.tsx';
import { ListCount } from './ListCount.tsx';
import type { Params } from './list-params.ts';
import { PAGED_ROW_HEIGHT, rowsInSight } from './rows-in-sight.ts';
import type { ListParams } from './use-list-params.ts';
import type { BulkList } from './bulk-list.ts';
import { SelectionBar } from './SelectionBar.tsx';
import { useBulkSelection } from './use-bulk-selection.ts';
import { usePageClamp } from './use-page-clamp.ts';
import { useShownPage } from './use-shown-page.ts';

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

export interface PagedListProps<Answer, Row, Sort extends string> extends TableProps<Row, Sort> {
  list: Pick<ListParams<Params>, 'values' | 'position' | 'goToPage' | 'searchOf'>;
  query: UseQueryResult<Answer>;
  rowsOf: (answer: Answer) => readonly Row[];
  pageSize: number;
  /** In the plural: 'users'. */
  noun: string;
  filters: ReactNode;
  /** FilterChips, below the filters. */
  chips?: ReactNode;
  /** What can be done with the whole list, beside the number of its rows. */
  actions?: ReactNode;
  /** The changes of many rows at once, which Meridian alone takes. */
  bulk?: BulkList<Row> | undefined;
}

/** A list that comes in pages: its filters, its table, its pager. */
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
  // Those of an old page lead to the neighbours of that one.
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
      {bulk && selection && (
        <SelectionBar
          bulk={bulk}
          selection={selection}
          total={answer?.total}
          isCapped={isCapped}
          noun={noun}
        />
      )}
    </Card>
  );
}
