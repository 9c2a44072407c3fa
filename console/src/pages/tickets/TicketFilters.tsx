import { TICKET_STATUSES, type TicketStatus } from '@meridian/contract/tickets';
import { statusLabel } from '../../components/status-label.ts';
import { FilterTabs } from '../../ui/FilterTabs.tsx';

export interface TicketFiltersProps {
  value: TicketStatus | '';
  onChange: (status: TicketStatus | '') => void;
  /** How many there are of a status, or in all; undefined while it is not known. */
  countOf: ((status: TicketStatus | 'ALL') => number) | undefined;
  /** The counts are on their way. */
  loading: boolean;
}

/** 'All 12 | Unused 7 | …' */
export function TicketFilters({ value, onChange, countOf, loading }: TicketFiltersProps) {
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
