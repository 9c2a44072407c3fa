import { TICKET_MESSAGES, TICKET_STATUSES, ticketList } from '@meridian/contract/tickets';
import { Ticket } from 'lucide-react';
import { useMemo } from 'react';
import { useEndpointQuery } from '../../api/use-endpoint-query.ts';
import { DataTable } from '../../components/list/DataTable.tsx';
import { FilterBar } from '../../components/list/FilterBar.tsx';
import { useListParams } from '../../components/list/use-list-params.ts';
import { WindowedBody } from '../../components/list/WindowedBody.tsx';
import { LinkButton } from '../../components/navigation/LinkButton.tsx';
import { prefetchReads } from '../../components/navigation/prefetch-reads.ts';
import { PageTitle } from '../../components/PageTitle.tsx';
import { statusLabel } from '../../components/status-label.ts';
import { useNow } from '../../components/use-now.ts';
import { paths } from '../../paths.ts';
import { Card } from '../../ui/Card.tsx';
import { FilterTabs } from '../../ui/FilterTabs.tsx';
import { TICKET_COLUMNS } from './ticket-columns.tsx';
import { type ShownTicket, showTickets, TICKETS_PARAMS } from './ticket-list.ts';
import { ticketsReads } from './ticket-reads.ts';

const SKELETON_ROWS = 12;

const keyOf = ({ ticket }: ShownTicket) => ticket.id;

export const prefetch = prefetchReads(ticketsReads);

export function TicketsPage() {
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
    <>
      <PageTitle
        title="Plan Tickets"
        context="Coupon codes, each of which grants a plan to whoever redeems it"
        actions={
          <LinkButton to={paths.ticketIssue} variant="primary">
            Issue New Ticket
          </LinkButton>
        }
      />
      <Card as="div">
        <FilterBar>
          <FilterTabs
            label="Status"
            loading={shown === undefined && query.error === null}
            value={status}
            onValueChange={(next) => list.set({ status: next })}
            tabs={[
              { value: '' as const, label: 'All', count: shown?.rows.length },
              ...TICKET_STATUSES.map((value) => ({
                value,
                label: statusLabel(value),
                count: shown && (shown.counts.get(value) ?? 0),
              })),
            ]}
          />
        </FilterBar>
        <DataTable
          label="Plan tickets"
          columns={TICKET_COLUMNS}
          rows={rows}
          rowKey={keyOf}
          query={query}
          failed={TICKET_MESSAGES.listFailed}
          describeError={TICKET_MESSAGES.listError}
          emptyText={TICKET_MESSAGES.none}
          emptyIcon={<Ticket aria-hidden="true" />}
          emptyAction={<LinkButton to={paths.ticketIssue}>Issue New Ticket</LinkButton>}
          onClearFilters={list.isFiltered ? list.clear : undefined}
          loadingText={TICKET_MESSAGES.loading}
          skeletonRows={SKELETON_ROWS}
          rowHeight="3.875rem"
          cellsPerLine={4}
          Body={WindowedBody}
        />
      </Card>
    </>
  );
}
