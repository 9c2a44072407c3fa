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
import { PageTitle } from '@meridian/ui/PageHeader.tsx';
import { SafeText } from '@meridian/ui/SafeText.tsx';
import { DATE_TIME_WIDTH, Time } from '@meridian/ui/Time.tsx';
import { fetchFile, saveBlob } from '@meridian/ui/api/call.ts';
import { isNotFound } from '@meridian/ui/api/errors.ts';
import { useEndpointMutation } from '@meridian/ui/api/mutation.ts';
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
import { readOutcome } from '@meridian/ui/api/outcome.ts';
import { DescriptionItem, DescriptionList } from '@meridian/ui/DescriptionList.tsx';

const POLL_MS = 1_000;

/** One change of many rows: how far it is, what happened, and a way to stop it. */
export function Component() {
  const isOffered = useIsMeridian();
  const { jobId = '' } = useParams();
  const query = useEndpointQuery(
    bulkGet,
    { params: { id: jobId } },
    {
      enabled: isOffered,
      isProgress: true,
      pollMs: (answer) => (answer && bulkIsRunning(answer.change) ? POLL_MS : undefined),
    },
  );
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

function JobCard({ change }: { change: BulkChange }) {
  const { state, total, done, skipped, failed, reason, madeBy, startedAt, finishedAt } = change;
  const left = total - settledOf(change);
  return (
    <Card as="div">
      <CardBody className="flex flex-col gap-5 pt-5">
        <div className="flex flex-col gap-2">
          <div className="flex items-center justify-between gap-3">
            <output className="tabular-nums">{progressWords(change)}</output>
            <JobBadge state={state} />
          </div>
          <ProgressBar change={change} label="Progress" />
        </div>
        <DescriptionList minColumn={DATE_TIME_WIDTH}>
          <DescriptionItem label="Done">{formatNumber(done)}</DescriptionItem>
          <DescriptionItem label="Skipped">{formatNumber(skipped)}</DescriptionItem>
          <DescriptionItem label="Failed">{formatNumber(failed)}</DescriptionItem>
          <DescriptionItem label={bulkIsRunning(change) ? 'To do' : 'Left as they were'}>
            {formatNumber(left)}
          </DescriptionItem>
          <DescriptionItem label="Started">
            <Time value={startedAt} />
          </DescriptionItem>
          <DescriptionItem label="Finished">
            <Time value={finishedAt} />
          </DescriptionItem>
          <DescriptionItem label="By">
            <SafeText>{madeBy}</SafeText>
          </DescriptionItem>
          {reason !== null && (
            <DescriptionItem label="Reason">
              <SafeText>{reason}</SafeText>
            </DescriptionItem>
          )}
        </DescriptionList>
      </CardBody>
    </Card>
  );
}

/** Stop it while it runs; afterwards, or meanwhile, what happened to each row. */
export function JobActions({ change }: { change: BulkChange }) {
  const { id } = change;
  const stop = useEndpointMutation(bulkStop, { invalidates: [bulkGet, bulkList] });
  const runOnce = useRunOnce();
  const [failure, setFailure] = useState<unknown>();
  const [isSaving, setSaving] = useState(false);
  const params = { id };

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
      // With the session: a link could carry no token.
      const response = await fetchFile(bulkResult, { params, accept: 'text/csv' });
      saveBlob(await response.blob(), `job-${id}.csv`);
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
