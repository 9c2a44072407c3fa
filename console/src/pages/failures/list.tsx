import { useId, useState } from 'react';
import { isRetryable } from '@meridian/contract/causes';
import {
  FAILURE_MESSAGES,
  FAILURE_WINDOW_DEFAULT,
  FAILURE_WINDOWS,
  type FailureGroup,
  failureList,
  type FailureReport,
  FAILURES_MAX,
} from '@meridian/contract/failures';
import { TRUNCATE, UNKNOWN_CAUSE } from '@meridian/contract/posts';
import { Badge } from '@meridian/ui/Badge.tsx';
import { BarChart } from '@meridian/ui/BarChart.tsx';
import { Button } from '@meridian/ui/Button.tsx';
import { Card, CardBody, CardHeader } from '@meridian/ui/Card.tsx';
import { Clock } from '@meridian/ui/DataAge.tsx';
import { DescriptionItem, DescriptionList } from '@meridian/ui/DescriptionList.tsx';
import { PageTitle } from '@meridian/ui/PageHeader.tsx';
import { SafeText } from '@meridian/ui/SafeText.tsx';
import { DATE_TIME_WIDTH, Time } from '@meridian/ui/Time.tsx';
import { type LoaderArgs, prefetch, useEndpointQuery } from '@meridian/ui/api/query.ts';
import { expectMeridian, useIsMeridian } from '@meridian/ui/api/session.ts';
import { LoadError } from '@meridian/ui/failures.tsx';
import { formatNumber, formatPercent } from '@meridian/ui/format.ts';
import { AppLink } from '@meridian/ui/links.tsx';
import { oneOf, readParams, useListParams } from '@meridian/ui/list/params.ts';
import { EmptyState, LoadingNote, Skeleton } from '@meridian/ui/placeholders.tsx';
import { FilterTabs } from '@meridian/ui/tabs.tsx';
import { BulkDialog } from '../../components/BulkDialog.tsx';
import { NotFoundPage } from '../../components/NotFoundPage.tsx';
import { PostExcerpt } from '../../components/PostExcerpt.tsx';
import type { BulkRequest } from '../../components/bulk-actions.ts';
import { CountLink, OWNER_LABELS, postListAt } from '../../components/figures.tsx';
import { paths } from '../../paths.ts';

export function loader({ search }: LoaderArgs): void {
  if (expectMeridian() === true) {
    prefetch(failureList, { query: readParams(FAILURES_PARAMS, search) });
  }
}

export function Component() {
  const enabled = useIsMeridian();
  const { values, set } = useListParams(FAILURES_PARAMS);
  const query = useEndpointQuery(failureList, { query: values }, { enabled });
  const { data, dataUpdatedAt, error } = query;
  /** Kept here, as the list behind an open dialog may be read again and its group be gone. */
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
      {/* The report comes and goes with the window, but a live region has to stay. */}
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

const FAILURES_PARAMS = { window: oneOf(FAILURE_WINDOWS, FAILURE_WINDOW_DEFAULT) };
const TABS = [
  { value: '24h', label: '24 hours' },
  { value: '7d', label: '7 days' },
  { value: '30d', label: '30 days' },
] as const;

const failuresText = (total: number) =>
  `${formatNumber(total)} ${total === 1 ? 'failure' : 'failures'}`;

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
  const period = { failedFrom: from, failedTo: to };
  return (
    <div className="flex flex-col gap-4">
      <p className="text-base text-muted">
        <CountLink to={postListAt(period)}>{failuresText(total)}</CountLink> from{' '}
        <Time value={from} /> to <Time value={to} />
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
          period={period}
          onRetry={onRetry}
        />
      ))}
    </div>
  );
}

interface FailureCardProps {
  group: FailureGroup;
  period: { failedFrom: string; failedTo: string };
  onRetry: (request: BulkRequest) => void;
}

function FailureCard({ group, period, onRetry }: FailureCardProps) {
  const { cause, error, count, retried, retryable } = group;
  const titleId = useId();
  const named = cause === null ? { cause: UNKNOWN_CAUSE, error: error ?? '' } : { cause };
  const list = postListAt({ ...named, ...period });
  const { label, tone } = OWNER_LABELS[group.owner];
  return (
    <Card aria-labelledby={titleId}>
      <CardHeader
        title={<SafeText>{group.sentence}</SafeText>}
        titleId={titleId}
        className="items-start!"
        description={group.advice}
        actions={<Badge tone={tone}>{label}</Badge>}
      />
      <CardBody className="grid gap-x-8 gap-y-4 @3xl:grid-cols-[minmax(0,2fr)_minmax(0,1fr)]">
        <div className="flex min-w-0 flex-col gap-4">
          <DescriptionList minColumn={DATE_TIME_WIDTH}>
            <DescriptionItem label="Posts">
              {/* The rest of the unknown texts has no filter of its own. */}
              <CountLink
                to={cause === null && error === null ? undefined : list}
                label={`Posts: ${formatNumber(count)}`}
              >
                {formatNumber(count)}
              </CountLink>{' '}
              ({formatPercent(group.share)})
            </DescriptionItem>
            <DescriptionItem label="People">{formatNumber(group.people)}</DescriptionItem>
            {retried > 0 && (
              <DescriptionItem label="Retried">{formatNumber(retried)}</DescriptionItem>
            )}
            <DescriptionItem first label="First seen">
              <Time value={group.firstAt} />
            </DescriptionItem>
            <DescriptionItem label="Last seen">
              <Time value={group.lastAt} />
            </DescriptionItem>
          </DescriptionList>
          {isRetryable(cause) && retryable > 0 && (
            <Button
              className="self-start"
              onClick={() =>
                onRetry({
                  action: 'postRetry',
                  label: 'Retry',
                  selection: { posts: { cause, ...period } },
                })
              }
            >
              Retry all {formatNumber(retryable)}
            </Button>
          )}
        </div>
        <Samples group={group} />
      </CardBody>
    </Card>
  );
}

function Samples({ group: { trend, samples } }: { group: FailureGroup }) {
  return (
    <div className="min-w-0">
      <BarChart
        className="h-10"
        bars={trend.map((value, index) => ({ key: `${index}`, value }))}
        describe={({ value }) => formatNumber(value)}
      />
      <ul aria-label="Samples" className="mt-3 flex flex-col gap-2 text-sm">
        {samples.map(({ handle, failedAt, ...post }) => (
          <li key={post.id}>
            <AppLink
              to={paths.post(post.id)}
              dir="auto"
              className="block rounded-sm hover:underline"
            >
              <PostExcerpt {...post} length={TRUNCATE.listContent} />
            </AppLink>
            <span className="text-muted">
              <SafeText>{handle}</SafeText> · <Time value={failedAt} />
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}
