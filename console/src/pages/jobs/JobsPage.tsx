import { type BulkChange, BULK_MESSAGES } from '@meridian/contract/bulk';
import { ListChecks } from 'lucide-react';
import { useIsMeridian } from '../../auth/use-is-meridian.ts';
import { bulkTitle } from '../../components/bulk/bulk-actions.ts';
import { progressWords } from '../../components/bulk/ProgressBar.tsx';
import { useBulkChanges } from '../../components/bulk/use-bulk-changes.ts';
import type { Column } from '../../components/list/column.ts';
import { DataTable } from '../../components/list/DataTable.tsx';
import { AppLink } from '../../components/navigation/AppLink.tsx';
import { NotFoundPage } from '../../components/NotFoundPage.tsx';
import { PageTitle } from '../../components/PageTitle.tsx';
import { paths } from '../../paths.ts';
import { Card } from '../../ui/Card.tsx';
import { SafeText } from '../../ui/SafeText.tsx';
import { Time } from '../../ui/Time.tsx';
import { JobBadge } from './JobBadge.tsx';
import { DATE_TIME_WIDTH } from '../../ui/time-width.ts';

const COLUMNS: readonly Column<BulkChange>[] = [
  {
    header: 'Change',
    unlabelled: true,
    wide: true,
    cell: ({ id, action, value, total, reason }) => (
      <>
        <AppLink to={paths.job(id)} data-row-link="" className="font-medium hover:underline">
          {bulkTitle(action, value, total)}
        </AppLink>
        {reason !== null && (
          <span className="block text-sm wrap-anywhere text-muted">
            <SafeText>{reason}</SafeText>
          </span>
        )}
      </>
    ),
  },
  { header: 'State', corner: true, width: '8rem', cell: ({ state }) => <JobBadge state={state} /> },
  { header: 'Progress', width: '13rem', cell: progressWords },
  { header: 'By', width: '10rem', cell: ({ madeBy }) => <SafeText>{madeBy}</SafeText> },
  {
    header: 'Started',
    width: `calc(${DATE_TIME_WIDTH} + 2rem)`,
    cell: ({ startedAt }) => <Time value={startedAt} />,
  },
];

/** The latest changes of many rows. */
export function JobsPage() {
  const isOffered = useIsMeridian();
  const query = useBulkChanges();
  if (!isOffered) return <NotFoundPage />;
  return (
    <>
      <PageTitle title="Jobs" context="Changes of many rows, the latest first" />
      <Card as="div">
        <DataTable
          label="Jobs"
          columns={COLUMNS}
          rows={query.data?.changes}
          rowKey={({ id }) => id}
          query={query}
          failed={BULK_MESSAGES.loadFailed}
          emptyText="Nothing has been changed in bulk yet"
          emptyIcon={<ListChecks aria-hidden="true" />}
          cellsPerLine={3}
        />
      </Card>
    </>
  );
}
