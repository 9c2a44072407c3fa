import type { Column } from '../../components/list/column.ts';
import { AppLink } from '../../components/navigation/AppLink.tsx';
import { StatusBadge } from '../../components/StatusBadge.tsx';
import { TierBadge } from '../../components/TierBadge.tsx';
import { paths } from '../../paths.ts';
import { NOTHING } from '../../ui/nothing.ts';
import { SafeText } from '../../ui/SafeText.tsx';
import { Time } from '../../ui/Time.tsx';
import { Issuer } from './Issuer.tsx';
import type { ShownTicket } from './ticket-list.ts';
import { daysText, planNameOf, usageOf } from './ticket-words.ts';
import { DATE_TIME_WIDTH } from '../../ui/time-width.ts';

/** On one line where there is room; where there is not, the time stands below the date. */
const TIME_WIDTH = `clamp(7.25rem, 50cqi - 21.75rem, ${DATE_TIME_WIDTH} + 1rem)`;
const TIME_CLASS = '@min-[42rem]:@max-[66.5rem]:whitespace-normal!';

export const TICKET_COLUMNS: readonly Column<ShownTicket>[] = [
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
  {
    header: 'Issuer',
    skeleton: '80%',
    cell: ({ ticket }) => <Issuer issuer={ticket.issuer} />,
  },
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
    cell: ({ ticket }) => <span className="tabular-nums">{daysText(ticket.validDays)}</span>,
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

const MEMO: Column<ShownTicket> = {
  header: 'Memo',
  wide: true,
  skeleton: '80%',
  roomy: true,
  cell: ({ ticket }) => (
    <span dir="auto" className="line-clamp-2 wrap-anywhere text-muted">
      {ticket.memo === null || ticket.memo === '' ? NOTHING : <SafeText>{ticket.memo}</SafeText>}
    </span>
  ),
};

/** The time below the date, which leaves room for the memo. */
const narrowed = (column: Column<ShownTicket>): Column<ShownTicket> => ({
  ...column,
  width: '8rem',
  cell: (row) => <div className="**:whitespace-normal!">{column.cell(row)}</div>,
});

/** The specification's columns, and at the end what the search looks through as well. */
export const COLUMNS_WITH_MEMO = [
  ...TICKET_COLUMNS.slice(0, -2),
  ...TICKET_COLUMNS.slice(-2).map(narrowed),
  MEMO,
];
