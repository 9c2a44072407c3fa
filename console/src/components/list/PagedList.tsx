import type { Cursors } from '@meridian/contract/fields';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Card } from '../../ui/Card.tsx';
import { pageSpan } from '../../ui/page-span.ts';
import { Pager } from '../../ui/Pager.tsx';
import { AppLink } from '../navigation/AppLink.tsx';
import { DataTable, type DataTableProps } from './DataTable.tsx';
import { FilterBar } from './FilterBar.tsx';
import { ListCount } from './ListCount.tsx';
import type { Params } from './list-params.ts';
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
  list: Pick<ListParams<Params>, 'values' | 'position' | 'goToPage' | 'searchOf'>;
  query: UseQueryResult<Answer>;
  rowsOf: (answer: Answer) => readonly Row[];
  pageSize: number;
  /** In the plural: 'users'. */
  noun: string;
  filters: ReactNode;
}

/** A list that comes in pages: its filters, its table, its pager. */
export function PagedList<
  Answer extends { total?: number | undefined; cursors?: Cursors },
  Row,
  Sort extends string = never,
>({ list, query, rowsOf, pageSize, noun, filters, ...table }: PagedListProps<Answer, Row, Sort>) {
  const { position, values, goToPage, searchOf } = list;
  const { page } = position;
  const shown = useShownPage(query, position, JSON.stringify(values));
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
  // Those of an old page lead to the neighbours of that one.
  const cursors = shown.isOld ? undefined : answer?.cursors;
  const cursorTo = (to: number) => (to > page ? cursors?.next : cursors?.previous) ?? undefined;
  return (
    <Card as="div">
      <FilterBar count={<ListCount rows={rows?.length} total={span?.total} noun={noun} />}>
        {filters}
      </FilterBar>
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
      {span && (
        <Pager
          page={page}
          span={span}
          hasNext={cursors === undefined ? page < span.lastPage : cursors.next !== null}
          noun={noun}
          renderLink={(to, link) => (
            <AppLink {...link} to={{ search: searchOf({ page: to, cursor: cursorTo(to) }) }} />
          )}
        />
      )}
    </Card>
  );
}
