import { Ticket } from 'lucide-react';
import { useEffect, useMemo } from 'react';
import { ticketExport } from '@meridian/contract/exports';
import {
  TICKET_MESSAGES,
  TICKET_STATUSES,
  ticketList,
  TICKETS_PAGE_SIZE,
  type TicketStatus,
  ticketStatusAt,
} from '@meridian/contract/tickets';
import { Card } from '@meridian/ui/Card.tsx';
import { useNow } from '@meridian/ui/DataAge.tsx';
import { PageTitle } from '@meridian/ui/PageHeader.tsx';
import { SafeText } from '@meridian/ui/SafeText.tsx';
import { DATE_TIME_WIDTH, Time } from '@meridian/ui/Time.tsx';
import {
  ensureEndpoint,
  type LoaderArgs,
  prefetch,
  useEndpointQuery,
} from '@meridian/ui/api/query.ts';
import { expectMeridian, useIsMeridian } from '@meridian/ui/api/session.ts';
import { NOTHING } from '@meridian/ui/format.ts';
import { AppLink, LinkButton } from '@meridian/ui/links.tsx';
import { type Column, DataTable } from '@meridian/ui/list/DataTable.tsx';
import { PagedList, useShownPage } from '@meridian/ui/list/PagedList.tsx';
import { ListCount } from '@meridian/ui/list/Pager.tsx';
import { WindowedBody } from '@meridian/ui/list/WindowedBody.tsx';
import { FilterBar, FilterText } from '@meridian/ui/list/filters.tsx';
import { listQuery, useListParams } from '@meridian/ui/list/params.ts';
import { filterOf } from '@meridian/ui/list/selection.ts';
import { FilterTabs } from '@meridian/ui/tabs.tsx';
import { ExportMenu } from '../../components/ExportMenu.tsx';
import { SelectionBar } from '../../components/SelectionBar.tsx';
import { StatusBadge, statusLabel, TierBadge } from '../../components/badges.tsx';
import { paths } from '../../paths.ts';
import {
  Issuer,
  planNameOf,
  type ShownTicket,
  showTickets,
  TICKET_PAGES_PARAMS,
  TICKETS_PARAMS,
  ticketsPageAt,
  usageOf,
} from './ticket.tsx';

/** The page itself asks if it is not known yet whether the server is Meridian. */
export function loader({ search }: LoaderArgs): void {
  const isMeridian = expectMeridian();
  if (isMeridian === true) prefetch(ticketList, ticketsPageAt(search));
  else if (isMeridian === false) ensureEndpoint(ticketList);
}

export function Component() {
  const hasPages = useIsMeridian();
  return (
    <>
      <PageTitle
        title="Plan Tickets"
        context="Coupon codes that grant a plan when they are redeemed"
        actions={
          <LinkButton to={paths.ticketIssue} variant="primary">
            Issue New Ticket
          </LinkButton>
        }
      />
      {hasPages ? <TicketPages /> : <WholeTickets />}
    </>
  );
}

/** The tickets in pages, filtered and counted by Meridian. */
function TicketPages() {
  const list = useListParams(TICKET_PAGES_PARAMS);
  const { status, search } = list.values;
  const query = useEndpointQuery(ticketList, {
    query: listQuery(TICKETS_PAGE_SIZE, list.values, list.position),
  });
  const { data, refetch } = query;
  const now = useNow();
  // The counts stay while the next page is on its way, as its rows do.
  const counts = useShownPage(query, list.position, JSON.stringify(list.values)).answer?.counts;
  const ranOut = data?.tickets.filter((one) => ticketStatusAt(one, now) !== one.status).length ?? 0;
  // The counts are out of date when a deadline on screen passes.
  useEffect(() => {
    if (ranOut > 0) void refetch();
  }, [ranOut, refetch]);

  return (
    <PagedList
      {...TABLE}
      columns={COLUMNS_WITH_MEMO}
      list={list}
      query={query}
      rowsOf={({ tickets }) => showTickets(tickets, now).rows}
      pageSize={TICKETS_PAGE_SIZE}
      noun="tickets"
      bulk={{
        labelOf: ({ ticket }) => ticket.code,
        renderBar: (props) => (
          <SelectionBar of="tickets" filter={filterOf(list.values)} {...props} />
        ),
      }}
      filters={
        <>
          <StatusTabs
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
          total={data?.total}
        />
      }
      onClearFilters={list.isFiltered ? list.clear : undefined}
    />
  );
}

/** The call of the specification returns all tickets at once; they are filtered and counted here. */
function WholeTickets() {
  const list = useListParams(TICKETS_PARAMS);
  const { status } = list.values;
  const query = useEndpointQuery(ticketList);
  const now = useNow();
  const tickets = query.data?.tickets;
  const shown = useMemo(() => tickets && showTickets(tickets, now), [tickets, now]);
  const rows = useMemo(
    () => shown?.rows.filter((row) => status === '' || row.status === status),
    [shown, status],
  );
  return (
    <Card as="div">
      <FilterBar count={<ListCount rows={rows?.length} total={rows?.length} noun="tickets" />}>
        <StatusTabs
          {...list.choice('status')}
          countOf={
            shown && ((one) => (one === 'ALL' ? shown.rows.length : (shown.counts.get(one) ?? 0)))
          }
          loading={shown === undefined && query.error === null}
        />
      </FilterBar>
      <DataTable
        {...TABLE}
        columns={COLUMNS}
        rows={rows}
        query={query}
        onClearFilters={list.isFiltered ? list.clear : undefined}
        skeletonRows={12}
        Body={WindowedBody}
      />
    </Card>
  );
}

interface StatusTabsProps {
  value: TicketStatus | '';
  onChange: (status: TicketStatus | '') => void;
  countOf: ((status: TicketStatus | 'ALL') => number) | undefined;
  loading: boolean;
}

function StatusTabs({ value, onChange, countOf, loading }: StatusTabsProps) {
  return (
    <FilterTabs
      label="Status"
      loading={loading}
      value={value}
      onValueChange={onChange}
      tabs={[
        { value: '' as const, label: 'All', count: countOf?.('ALL') },
        ...TICKET_STATUSES.map((status) => ({
          value: status,
          label: statusLabel(status),
          count: countOf?.(status),
        })),
      ]}
    />
  );
}

/** A narrow column has the time below the date. */
const TIME_WIDTH = `clamp(7.25rem, 50cqi - 21.75rem, ${DATE_TIME_WIDTH} + 1rem)`;
const TIME_CLASS = '@min-[42rem]:@max-[66.5rem]:whitespace-normal!';

const COLUMNS: readonly Column<ShownTicket>[] = [
  {
    header: 'Code',
    wide: true,
    skeleton: '9rem',
    width: '11.5rem',
    cell: ({ ticket }) => (
      <AppLink
        data-row-link=""
        to={paths.ticket(ticket.id)}
        className="-my-2.5 inline-block rounded-sm py-2.5 text-mono text-accent-text hover:underline"
      >
        <SafeText>{ticket.code}</SafeText>
      </AppLink>
    ),
  },
  {
    header: 'Plan',
    skeleton: '80%',
    width: 'max(7.75rem, 12cqi)',
    cell: ({ ticket }) => (
      <div className="flex min-w-0 flex-col items-start gap-x-2 gap-y-0.5 @max-[42rem]:flex-row @max-[42rem]:flex-wrap @max-[42rem]:items-center">
        <span className="max-w-full truncate font-medium">
          <SafeText>{planNameOf(ticket)}</SafeText>
        </span>
        {ticket.plan.tier !== '' && <TierBadge tier={ticket.plan.tier} />}
      </div>
    ),
  },
  { header: 'Issuer', skeleton: '80%', cell: ({ ticket }) => <Issuer issuer={ticket.issuer} /> },
  {
    header: 'Status',
    corner: true,
    skeleton: '5rem',
    width: '6.5rem',
    cell: ({ status }) => <StatusBadge status={status} />,
  },
  {
    header: 'Usage',
    skeleton: '3rem',
    width: '5.25rem',
    cell: ({ ticket }) => <span className="tabular-nums">{usageOf(ticket)}</span>,
  },
  {
    header: 'Valid Days',
    skeleton: '4rem',
    width: '5.25rem',
    cell: ({ ticket }) => <span className="tabular-nums">{ticket.validDays} days</span>,
  },
  {
    header: 'Issued At',
    skeleton: '8rem',
    width: TIME_WIDTH,
    cell: ({ ticket }) => <Time value={ticket.issuedAt} className={`${TIME_CLASS} text-muted`} />,
  },
  {
    header: 'Redemption Deadline',
    skeleton: '8rem',
    width: `calc(${TIME_WIDTH} + 0.5rem)`,
    cell: ({ ticket }) => (
      <Time value={ticket.redemptionDeadline} fallback="N/A" className={TIME_CLASS} />
    ),
  },
];

const narrowed = (column: Column<ShownTicket>): Column<ShownTicket> => ({
  ...column,
  width: '8rem',
  cell: (row) => <div className="**:whitespace-normal!">{column.cell(row)}</div>,
});

/** The search looks through memos too, so they are shown; the time below the date makes room. */
const COLUMNS_WITH_MEMO: readonly Column<ShownTicket>[] = [
  ...COLUMNS.slice(0, -2),
  ...COLUMNS.slice(-2).map(narrowed),
  {
    header: 'Memo',
    wide: true,
    skeleton: '80%',
    roomy: true,
    cell: ({ ticket: { memo } }) => (
      <span dir="auto" className="line-clamp-2 wrap-anywhere text-muted">
        {memo ? <SafeText>{memo}</SafeText> : NOTHING}
      </span>
    ),
  },
];

const TABLE = {
  label: 'Plan tickets',
  rowKey: ({ ticket }: ShownTicket) => ticket.id,
  failed: TICKET_MESSAGES.listFailed,
  describeError: TICKET_MESSAGES.listError,
  emptyText: TICKET_MESSAGES.none,
  emptyIcon: <Ticket aria-hidden="true" />,
  emptyAction: <LinkButton to={paths.ticketIssue}>Issue New Ticket</LinkButton>,
  loadingText: TICKET_MESSAGES.loading,
  rowHeight: '3.875rem',
  cellsPerLine: 4,
};
