import {
  FAILURE_MESSAGES,
  FAILURES_MAX,
  failureList,
  type FailureReport,
} from '@meridian/contract/failures';
import { useState } from 'react';
import { useEndpointQuery } from '../../api/use-endpoint-query.ts';
import { useIsMeridian } from '../../auth/use-is-meridian.ts';
import type { BulkRequest } from '../../components/bulk/bulk-actions.ts';
import { BulkDialog } from '../../components/bulk/BulkDialog.tsx';
import { Clock } from '../../components/Clock.tsx';
import { CountLink } from '../../components/CountLink.tsx';
import { useListParams } from '../../components/list/use-list-params.ts';
import { LoadError } from '../../components/LoadError.tsx';
import { LoadingNote } from '../../components/LoadingNote.tsx';
import { NotFoundPage } from '../../components/NotFoundPage.tsx';
import { PageTitle } from '../../components/PageTitle.tsx';
import { postListAt } from '../../components/post-list-address.ts';
import { Card } from '../../ui/Card.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { FilterTabs } from '../../ui/FilterTabs.tsx';
import { formatNumber } from '../../ui/format-number.ts';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { Time } from '../../ui/Time.tsx';
import { FailureCard } from './FailureCard.tsx';
import { FAILURES_PARAMS } from './failures-params.ts';

const TABS = [
  { value: '24h', label: '24 hours' },
  { value: '7d', label: '7 days' },
  { value: '30d', label: '30 days' },
] as const;

export function FailuresPage() {
  const enabled = useIsMeridian();
  const { values, set } = useListParams(FAILURES_PARAMS);
  const query = useEndpointQuery(failureList, { query: values }, { enabled });
  const { data, dataUpdatedAt, error } = query;
  /** Not of the card: the list behind an open dialog may be read again, and the group be gone. */
  const [asked, setAsked] = useState<BulkRequest>();
  const close = () => setAsked(undefined);
  if (!enabled) return <NotFoundPage />;
  return (
    <>
      <PageTitle
        title="Failures"
        context="Why posts were not published, and what to do about it"
        actions={error === null && <Clock at={data && new Date(dataUpdatedAt)} />}
      />
      <FilterTabs
        className="mb-4"
        label="Failures of the last"
        tabs={TABS}
        value={values.window}
        onValueChange={(window) => set({ window })}
      />
      <LoadError className="mb-4" query={query} failed={FAILURE_MESSAGES.loadFailed} />
      {/* The report comes and goes with the window; what is read out stays. */}
      <p aria-live="polite" className="sr-only">
        {data && failuresText(data.total)}
      </p>
      {data === undefined ? (
        error === null && <ReportSkeleton />
      ) : (
        <Report report={data} onRetry={setAsked} />
      )}
      {asked !== undefined && <BulkDialog request={asked} onCancel={close} onStarted={close} />}
    </>
  );
}

const failuresText = (total: number) =>
  `${formatNumber(total)} ${total === 1 ? 'failure' : 'failures'}`;

/** The boxes of a few causes: how many there will be is not known. */
function ReportSkeleton() {
  return (
    <div className="flex flex-col gap-4">
      <LoadingNote />
      <Skeleton width="18rem" height="1.5em" />
      {['first', 'second', 'third'].map((cause) => (
        <Card key={cause} as="div" className="flex flex-col gap-5 p-5">
          <Skeleton width="50%" />
          <Skeleton height="7rem" className="rounded" />
        </Card>
      ))}
    </div>
  );
}

interface ReportProps {
  report: FailureReport;
  onRetry: (request: BulkRequest) => void;
}

function Report({ report: { from, to, total, isCapped, groups }, onRetry }: ReportProps) {
  return (
    <div className="flex flex-col gap-4">
      <p className="text-base text-muted">
        <CountLink to={postListAt({ failedFrom: from, failedTo: to })}>
          {failuresText(total)}
        </CountLink>{' '}
        from <Time value={from} /> to <Time value={to} />
        {isCapped && `. There are more: only the newest ${formatNumber(FAILURES_MAX)} are counted`}
      </p>
      {total === 0 && (
        <Card as="div">
          <EmptyState>No post failed in this time.</EmptyState>
        </Card>
      )}
      {groups.map((group) => (
        <FailureCard
          key={`${group.cause} ${group.error}`}
          group={group}
          period={{ from, to }}
          onRetry={onRetry}
        />
      ))}
    </div>
  );
}
