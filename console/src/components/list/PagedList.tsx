import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Card } from '../../ui/Card.tsx';
import { DataTable, type DataTableProps } from './DataTable.tsx';
import { FilterBar } from './FilterBar.tsx';
import type { Params } from './list-params.ts';
import { ListPager } from './ListPager.tsx';
import { PAGED_ROW_HEIGHT, rowsInSight } from './rows-in-sight.ts';
import type { ListParams } from './use-list-params.ts';
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
  list: Pick<ListParams<Params>, 'values' | 'page' | 'goToPage' | 'searchOfPage'>;
  query: UseQueryResult<Answer>;
  rowsOf: (answer: Answer) => readonly Row[];
  pageSize: number;
  /** In the plural: 'users'. */
  noun: string;
  filters: ReactNode;
}

/** A list that comes in pages: its filters, its table, its pager. */
export function PagedList<
  Answer extends { total?: number | undefined },
  Row,
  Sort extends string = never,
>({ list, query, rowsOf, pageSize, noun, filters, ...table }: PagedListProps<Answer, Row, Sort>) {
  const { page, values, goToPage, searchOfPage } = list;
  const shown = useShownPage(query, page, JSON.stringify(values));
  const isStale = usePageClamp({ page, pageSize, total: query.data?.total, goToPage });
  const answer = isStale ? undefined : shown.answer;
  const rows = answer && rowsOf(answer);
  return (
    <Card as="div">
      <FilterBar>{filters}</FilterBar>
      <DataTable
        rowHeight={PAGED_ROW_HEIGHT}
        cellsPerLine={3}
        {...table}
        // 'Nothing found' is said of what was asked, never of what was asked before.
        rows={shown.isOld && rows?.length === 0 ? undefined : rows}
        query={query}
        isOld={shown.isOld}
        skeletonRows={pageSize}
        inSight={rowsInSight(window.innerHeight)}
      />
      <ListPager
        page={page}
        shownPage={shown.page}
        pageSize={pageSize}
        total={answer?.total}
        noun={noun}
        searchOfPage={searchOfPage}
      />
    </Card>
  );
}
