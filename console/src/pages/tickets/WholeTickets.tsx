import { ticketList } from '@meridian/contract/tickets';
import { useMemo } from 'react';
import { useEndpointQuery } from '../../api/use-endpoint-query.ts';
import { DataTable } from '../../components/list/DataTable.tsx';
import { FilterBar } from '../../components/list/FilterBar.tsx';
import { ListCount } from '../../components/list/ListCount.tsx';
import { useListParams } from '../../components/list/use-list-params.ts';
import { WindowedBody } from '../../components/list/WindowedBody.tsx';
import { useNow } from '../../components/use-now.ts';
import { Card } from '../../ui/Card.tsx';
import { showTickets, TICKETS_PARAMS } from './ticket-list.ts';
import { TICKET_TABLE } from './ticket-table.tsx';
import { TicketFilters } from './TicketFilters.tsx';

const SKELETON_ROWS = 12;

/** All tickets at once, filtered and counted here: all that the specification's call can do. */
export function WholeTickets() {
  const list = useListParams(TICKETS_PARAMS);
  const query = useEndpointQuery(ticketList);
  const now = useNow();
  const tickets = query.data?.tickets;
  const shown = useMemo(() => tickets && showTickets(tickets, now), [tickets, now]);
  const { status } = list.values;
  const rows = useMemo(
    () => (status === '' ? shown?.rows : shown?.rows.filter((row) => row.status === status)),
    [shown, status],
  );
  return (
    <Card as="div">
      <FilterBar count={<ListCount rows={rows?.length} total={rows?.length} noun="tickets" />}>
        <TicketFilters
          {...list.choice('status')}
          countOf={
            shown && ((one) => (one === 'ALL' ? shown.rows.length : (shown.counts.get(one) ?? 0)))
          }
          loading={shown === undefined && query.error === null}
        />
      </FilterBar>
      <DataTable
        {...TICKET_TABLE}
        rows={rows}
        query={query}
        onClearFilters={list.isFiltered ? list.clear : undefined}
        skeletonRows={SKELETON_ROWS}
        Body={WindowedBody}
      />
    </Card>
  );
}
