import { useState } from 'react';
import { useParams } from 'react-router';
import {
  BULK_MESSAGES,
  type BulkChange,
  bulkGet,
  bulkIsRunning,
  bulkList,
  bulkResult,
  bulkStop,
} from '@meridian/contract/bulk';
import { Button } from '@meridian/ui/Button.tsx';
import { Card, CardBody } from '@meridian/ui/Card.tsx';
import { DescriptionItem, DescriptionList } from '@meridian/ui/DescriptionList.tsx';
import { PageTitle } from '@meridian/ui/PageHeader.tsx';
import { SafeText } from '@meridian/ui/SafeText.tsx';
import { DATE_TIME_WIDTH, Time } from '@meridian/ui/Time.tsx';
import { fetchFile, saveBlob } from '@meridian/ui/api/call.ts';
import { isNotFound } from '@meridian/ui/api/errors.ts';
import { useEndpointMutation } from '@meridian/ui/api/mutation.ts';
import { readOutcome } from '@meridian/ui/api/outcome.ts';
import { useEndpointQuery } from '@meridian/ui/api/query.ts';
import { useIsMeridian } from '@meridian/ui/api/session.ts';
import { confirm } from '@meridian/ui/dialog-host.tsx';
import { FailureText, LoadError } from '@meridian/ui/failures.tsx';
import { formatNumber } from '@meridian/ui/format.ts';
import { useRunOnce } from '@meridian/ui/hooks.ts';
import { LoadingNote } from '@meridian/ui/placeholders.tsx';
import { ProgressBar, progressWords, settledOf } from '../../components/BulkProgress.tsx';
import { NotFoundPage } from '../../components/NotFoundPage.tsx';
import { JobBadge } from '../../components/badges.tsx';
import { bulkTitle } from '../../components/bulk-actions.ts';
import { BackLink } from '../../components/visits.tsx';
import { paths } from '../../paths.ts';

export function Component() {
  const isOffered = useIsMeridian();
  const { jobId = '' } = useParams();
  const args = { params: { id: jobId } };
  const query = useEndpointQuery(bulkGet, args, {
    enabled: isOffered,
    isProgress: true,
    pollMs: (seen) => (seen && bulkIsRunning(seen.change) ? POLL_MS : undefined),
  });
  const { data, error } = query;
  if (!isOffered || isNotFound(error)) return <NotFoundPage />;
  const change = data?.change;
  return (
    <>
      <PageTitle
        back={<BackLink to={paths.jobs}>Back to Jobs</BackLink>}
        title={change === undefined ? 'Job' : bulkTitle(change.action, change.value, change.total)}
        actions={change && <JobActions change={change} />}
      />
      <LoadError query={query} failed={BULK_MESSAGES.loadFailed} />
      {change === undefined && error === null && <LoadingNote />}
      {change !== undefined && <JobCard change={change} />}
    </>
  );
}

const POLL_MS = 1_000;

function JobCard({ change }: { change: BulkChange }) {
  const counts = [
    ['Done', change.done],
    ['Skipped', change.skipped],
    ['Failed', change.failed],
    [bulkIsRunning(change) ? 'To do' : 'Left as they were', change.total - settledOf(change)],
  ] as const;
  return (
    <Card as="div">
      <CardBody className="flex flex-col gap-5 pt-5">
        <div className="flex flex-col gap-2">
          <div className="flex items-center justify-between gap-3">
            <output className="tabular-nums">{progressWords(change)}</output>
            <JobBadge state={change.state} />
          </div>
          <ProgressBar change={change} label="Progress" />
        </div>
        <DescriptionList minColumn={DATE_TIME_WIDTH}>
          {counts.map(([label, count]) => (
            <DescriptionItem key={label} label={label}>
              {formatNumber(count)}
            </DescriptionItem>
          ))}
          <DescriptionItem label="Started">
            <Time value={change.startedAt} />
          </DescriptionItem>
          <DescriptionItem label="Finished">
            <Time value={change.finishedAt} />
          </DescriptionItem>
          <DescriptionItem label="By">
            <SafeText>{change.madeBy}</SafeText>
          </DescriptionItem>
          {change.reason !== null && (
            <DescriptionItem label="Reason">
              <SafeText>{change.reason}</SafeText>
            </DescriptionItem>
          )}
        </DescriptionList>
      </CardBody>
    </Card>
  );
}

function JobActions({ change }: { change: BulkChange }) {
  const params = { id: change.id };
  const stop = useEndpointMutation(bulkStop, { invalidates: [bulkGet, bulkList] });
  const runOnce = useRunOnce();
  const [failure, setFailure] = useState<unknown>();
  const [isSaving, setSaving] = useState(false);

  function askToStop() {
    return confirm({
      title: 'Stop',
      body: 'Rows that are changed already stay changed. The others stay as they are.',
      busyLabel: 'Stopping...',
      failed: BULK_MESSAGES.stopFailed,
      run: () => stop.mutateAsync({ params }),
      readOutcome: () => readOutcome(bulkGet, { params }, (now) => now.change.state !== 'RUNNING'),
    });
  }

  async function save() {
    setSaving(true);
    setFailure(undefined);
    try {
      // A link could carry no token.
      const response = await fetchFile(bulkResult, { params, accept: 'text/csv' });
      saveBlob(await response.blob(), `job-${change.id}.csv`);
    } catch (error) {
      setFailure(error);
    }
    setSaving(false);
  }

  return (
    <div className="flex flex-wrap items-center gap-2">
      {failure !== undefined && (
        <span role="alert" className="text-sm text-danger">
          <FailureText error={failure} failed={BULK_MESSAGES.resultFailed} />
        </span>
      )}
      <Button busy={isSaving} onClick={() => void runOnce(save)}>
        Result as CSV
      </Button>
      {bulkIsRunning(change) && (
        <Button
          variant="danger-quiet"
          disabled={change.state === 'STOPPING'}
          onClick={() => void askToStop()}
        >
          Stop
        </Button>
      )}
    </div>
  );
}
