import type { FailureGroup, FailureReport } from '@meridian/contract/failures';
import { TRUNCATE, UNKNOWN_CAUSE } from '@meridian/contract/posts';
import { useId } from 'react';
import type { BulkRequest } from '../../components/bulk/bulk-actions.ts';
import { CountLink } from '../../components/CountLink.tsx';
import { AppLink } from '../../components/navigation/AppLink.tsx';
import { OWNER_LABELS } from '../../components/owner-labels.ts';
import { PostExcerpt } from '../../components/PostExcerpt.tsx';
import { postListAt } from '../../components/post-list-address.ts';
import { paths } from '../../paths.ts';
import { Badge } from '../../ui/Badge.tsx';
import { BarChart } from '../../ui/BarChart.tsx';
import { Card } from '../../ui/Card.tsx';
import { CardBody } from '../../ui/CardBody.tsx';
import { CardHeader } from '../../ui/CardHeader.tsx';
import { DescriptionItem } from '../../ui/DescriptionItem.tsx';
import { DescriptionList } from '../../ui/DescriptionList.tsx';
import { formatNumber, formatPercent } from '../../ui/format-number.ts';
import { SafeText } from '../../ui/SafeText.tsx';
import { Time } from '../../ui/Time.tsx';
import { RetryGroup } from './RetryGroup.tsx';
import { DATE_TIME_WIDTH } from '../../ui/time-width.ts';

interface FailureCardProps {
  group: FailureGroup;
  period: Pick<FailureReport, 'from' | 'to'>;
  onRetry: (request: BulkRequest) => void;
}

/** One cause: what it means, whose it is, what to do, how much of it, and the posts. */
export function FailureCard({ group, period, onRetry }: FailureCardProps) {
  const { cause, error, count, retried } = group;
  const titleId = useId();
  const named = cause === null ? { cause: UNKNOWN_CAUSE, error: error ?? '' } : { cause };
  const list = postListAt({ ...named, failedFrom: period.from, failedTo: period.to });
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
          <RetryGroup group={group} period={period} onAsk={onRetry} />
        </div>
        <div className="min-w-0">
          <BarChart
            className="h-10"
            bars={group.trend.map((value, index) => ({ key: `${index}`, value }))}
            describe={({ value }) => formatNumber(value)}
          />
          <ul aria-label="Samples" className="mt-3 flex flex-col gap-2 text-sm">
            {group.samples.map(({ handle, failedAt, ...post }) => (
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
      </CardBody>
    </Card>
  );
}
