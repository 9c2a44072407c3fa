import { ListChecks } from 'lucide-react';
import { BULK_MESSAGES, type BulkChange } from '@meridian/contract/bulk';
import { Card } from '@meridian/ui/Card.tsx';
import { PageTitle } from '@meridian/ui/PageHeader.tsx';
import { SafeText } from '@meridian/ui/SafeText.tsx';
import { DATE_TIME_WIDTH, Time } from '@meridian/ui/Time.tsx';
import { useIsMeridian } from '@meridian/ui/api/session.ts';
import { AppLink } from '@meridian/ui/links.tsx';
import { type Column, DataTable } from '@meridian/ui/list/DataTable.tsx';
import { progressWords, useBulkChanges } from '../../components/BulkProgress.tsx';
import { NotFoundPage } from '../../components/NotFoundPage.tsx';
import { JobBadge } from '../../components/badges.tsx';
import { bulkTitle } from '../../components/bulk-actions.ts';
import { paths } from '../../paths.ts';

export function Component() {
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
