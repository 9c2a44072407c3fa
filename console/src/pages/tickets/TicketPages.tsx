import { ticketExport } from '@meridian/contract/exports';
import { ticketList, TICKETS_PAGE_SIZE } from '@meridian/contract/tickets';
import { useEffect } from 'react';
import { useEndpointQuery } from '../../api/use-endpoint-query.ts';
import { ExportMenu } from '../../components/export/ExportMenu.tsx';
import { filterOf } from '../../components/list/bulk-list.ts';
import { FilterText } from '../../components/list/FilterText.tsx';
import { listQuery } from '../../components/list/list-params.ts';
import { PagedList } from '../../components/list/PagedList.tsx';
import { useListParams } from '../../components/list/use-list-params.ts';
import { useShownPage } from '../../components/list/use-shown-page.ts';
import { useNow } from '../../components/use-now.ts';
import { type ShownTicket, showTickets, TICKET_PAGES_PARAMS } from './ticket-list.ts';
import { COLUMNS_WITH_MEMO } from './ticket-columns.tsx';
import { TICKET_TABLE } from './ticket-table.tsx';
import { TicketFilters } from './TicketFilters.tsx';

const ticketLabel = ({ ticket }: ShownTicket) => ticket.code;

/** The tickets in pages, filtered and counted by Meridian. */
export function TicketPages() {
  const list = useListParams(TICKET_PAGES_PARAMS);
  const asked = listQuery(TICKETS_PAGE_SIZE, list.values, list.position);
  const query = useEndpointQuery(ticketList, { query: asked });
  const now = useNow();
  const { status, search } = list.values;

  // The counts stay while the next page is on its way, as its rows do.
  const counts = useShownPage(query, list.position, JSON.stringify(list.values)).answer?.counts;
  const shown = query.data && showTickets(query.data.tickets, now);
  const ranOut = shown?.rows.filter((row) => row.status !== row.ticket.status).length ?? 0;
  const { refetch } = query;
  // Time passes outside of React: when a deadline on screen passes, the counts are old too.
  useEffect(() => {
    if (ranOut > 0) void refetch();
  }, [ranOut, refetch]);

  return (
    <PagedList
      {...TICKET_TABLE}
      columns={COLUMNS_WITH_MEMO}
      list={list}
      query={query}
      rowsOf={({ tickets }) => showTickets(tickets, now).rows}
      pageSize={TICKETS_PAGE_SIZE}
      noun="tickets"
      bulk={{ of: 'tickets', filter: filterOf(list.values), labelOf: ticketLabel }}
      filters={
        <>
          <TicketFilters
            {...list.choice('status')}
            countOf={counts && ((one) => counts[one])}
            loading={counts === undefined && query.error === null}
          />
          {/* At the end of the line or on one of its own, so that growing counts cannot move it. */}
          <div className="max-[84rem]:w-full min-[84rem]:ml-auto">
            <FilterText label="Search tickets" {...list.typed('search')} />
          </div>
        </>
      }
      actions={
        <ExportMenu
          endpoint={ticketExport}
          noun="tickets"
          query={{ status: status || undefined, search }}
          total={query.data?.total}
        />
      }
      onClearFilters={list.isFiltered ? list.clear : undefined}
    />
  );
}
