import { type BulkChange, BULK_MESSAGES, bulkGet, bulkIsRunning } from '@meridian/contract/bulk';
import { useParams } from 'react-router';
import { isNotFound } from '../../api/api-error.ts';
import { useEndpointQuery } from '../../api/use-endpoint-query.ts';
import { useIsMeridian } from '../../auth/use-is-meridian.ts';
import { bulkTitle } from '../../components/bulk/bulk-actions.ts';
import { ProgressBar, progressWords, settledOf } from '../../components/bulk/ProgressBar.tsx';
import { LoadError } from '../../components/LoadError.tsx';
import { LoadingNote } from '../../components/LoadingNote.tsx';
import { BackLink } from '../../components/navigation/BackLink.tsx';
import { NotFoundPage } from '../../components/NotFoundPage.tsx';
import { PageTitle } from '../../components/PageTitle.tsx';
import { paths } from '../../paths.ts';
import { Card } from '../../ui/Card.tsx';
import { CardBody } from '../../ui/CardBody.tsx';
import { DescriptionItem } from '../../ui/DescriptionItem.tsx';
import { DescriptionList } from '../../ui/DescriptionList.tsx';
import { formatNumber } from '../../ui/format-number.ts';
import { SafeText } from '../../ui/SafeText.tsx';
import { Time } from '../../ui/Time.tsx';
import { JobActions } from './JobActions.tsx';
import { JobBadge } from './JobBadge.tsx';
import { DATE_TIME_WIDTH } from '../../ui/time-width.ts';

const POLL_MS = 1_000;

/** One change of many rows: how far it is, what happened, and a way to stop it. */
export function JobPage() {
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
