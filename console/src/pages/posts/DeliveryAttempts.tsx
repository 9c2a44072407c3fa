import type { DeliveryAttempt } from '@meridian/contract/engine';
import type { Column } from '../../components/list/column.ts';
import { DataTableHead } from '../../components/list/DataTableHead.tsx';
import { WholeBody } from '../../components/list/WholeBody.tsx';
import { formatDuration } from '../../ui/format-duration.ts';
import { NOTHING } from '../../ui/nothing.ts';
import { SafeText } from '../../ui/SafeText.tsx';
import { Table } from '../../ui/Table.tsx';
import { Time } from '../../ui/Time.tsx';
import { DATE_TIME_WIDTH } from '../../ui/time-width.ts';

function responseText({ status, error }: DeliveryAttempt): string {
  return [status, error].filter((part) => part !== null).join(' ') || NOTHING;
}

const COLUMNS: readonly Column<DeliveryAttempt>[] = [
  { header: 'Attempt', cell: ({ number }) => number, width: '5.5rem' },
  {
    header: 'Started',
    cell: ({ startedAt, endedAt }) => (
      <>
        <Time value={startedAt} />
        <span className="block text-xs text-muted tabular-nums">
          took {formatDuration(Date.parse(endedAt) - Date.parse(startedAt))}
        </span>
      </>
    ),
    width: `calc(${DATE_TIME_WIDTH} + 1.5rem)`,
  },
  { header: 'Host', cell: ({ host }) => <SafeText>{host}</SafeText>, width: '18%' },
  {
    header: 'Response',
    cell: (attempt) => <SafeText>{responseText(attempt)}</SafeText>,
    width: '18%',
  },
  { header: 'Cause', cell: ({ cause }) => <SafeText>{cause.sentence}</SafeText>, wide: true },
];

/** The attempts that did not publish at once, the latest first. */
export function DeliveryAttempts({ attempts }: { attempts: readonly DeliveryAttempt[] }) {
  return (
    <Table label="Attempts">
      <DataTableHead columns={COLUMNS} />
      <WholeBody columns={COLUMNS} rows={attempts} rowKey={({ number }) => String(number)} />
    </Table>
  );
}
