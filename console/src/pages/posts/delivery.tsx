import { useEffect, useRef } from 'react';
import { type Delivery, DELIVERY_MESSAGES, deliveryGet } from '@meridian/contract/engine';
import type { Post } from '@meridian/contract/posts';
import { Alert } from '@meridian/ui/Alert.tsx';
import { Card, CardBody, CardHeader } from '@meridian/ui/Card.tsx';
import { DescriptionItem, DescriptionList } from '@meridian/ui/DescriptionList.tsx';
import { Mono } from '@meridian/ui/Mono.tsx';
import { SafeText } from '@meridian/ui/SafeText.tsx';
import { Table } from '@meridian/ui/Table.tsx';
import { DATE_TIME_WIDTH, Time, TimeStopContext } from '@meridian/ui/Time.tsx';
import { type EndpointQuery, useEndpointQuery } from '@meridian/ui/api/query.ts';
import { useIsMeridian } from '@meridian/ui/api/session.ts';
import { cx } from '@meridian/ui/classes.ts';
import { LoadError } from '@meridian/ui/failures.tsx';
import { formatDuration, formatNumber, NOTHING, parseTime } from '@meridian/ui/format.ts';
import { type Column, DataTableHead, WholeBody } from '@meridian/ui/list/DataTable.tsx';

export function DeliveryCard({ query }: { query: EndpointQuery<typeof deliveryGet> }) {
  const delivery = query.data?.delivery;
  return (
    <Card aria-labelledby="post-delivery">
      <CardHeader title="Delivery" titleId="post-delivery" />
      <LoadError className="mx-5 mb-5" query={query} failed={DELIVERY_MESSAGES.loadFailed} />
      {delivery && <DeliveryBody delivery={delivery} />}
    </Card>
  );
}

function DeliveryBody({ delivery }: { delivery: Delivery }) {
  const { hold, cause, confirmedAt, attempts } = delivery;
  return (
    <>
      <CardBody className="flex flex-col gap-5">
        <Timeline delivery={delivery} />
        {hold !== null && (
          <Alert tone="amber" live="none" title="On hold">
            <SafeText>{hold.sentence}</SafeText>
          </Alert>
        )}
        {cause !== null && (
          <Alert tone={confirmedAt === null ? 'red' : 'amber'} live="none" title="Cause">
            <SafeText>{cause.sentence}</SafeText>
            {cause.advice !== null && (
              <span className="mt-1 block text-text">
                <SafeText>{cause.advice}</SafeText>
              </span>
            )}
          </Alert>
        )}
        <Facts delivery={delivery} />
      </CardBody>
      {attempts.length > 0 && (
        <Table label="Attempts">
          <DataTableHead columns={COLUMNS} />
          <WholeBody columns={COLUMNS} rows={attempts} rowKey={({ number }) => `${number}`} />
        </Table>
      )}
    </>
  );
}

const STEPS = [
  ['Planned', 'plannedAt'],
  ['Claimed', 'claimedAt'],
  ['Sent', 'sentAt'],
  ['Confirmed', 'confirmedAt'],
] as const satisfies readonly [string, keyof Delivery][];

/** The four steps in one line, in two, or from top to bottom, as there is room. */
function Timeline({ delivery }: { delivery: Delivery }) {
  return (
    <div className="@container">
      <ol
        aria-label="Steps"
        className="grid gap-x-4 gap-y-3 @sm:grid-cols-2 @[44.5rem]:grid-cols-4"
      >
        {STEPS.map(([label, field]) => {
          const at = delivery[field];
          const note = noteOf(field, delivery);
          return (
            <li key={field} className="min-w-0">
              <div className="flex items-center gap-2">
                <span
                  aria-hidden="true"
                  className={cx(
                    'color-mark size-2 shrink-0 rounded-full border',
                    at === null ? 'border-border-control' : 'border-transparent bg-green-mark',
                  )}
                />
                <span className={cx('text-sm font-medium', at === null && 'text-muted')}>
                  {label}
                </span>
                <span aria-hidden="true" className="h-px flex-1 bg-border @max-sm:hidden" />
              </div>
              <div className="mt-1 ps-4 text-sm text-muted">
                <TimeStopContext value={true}>
                  {at === null ? (
                    missingTime(delivery)
                  ) : (
                    <Time value={at} className="text-text whitespace-normal!" />
                  )}
                </TimeStopContext>
                {note !== null && <span className="block text-xs tabular-nums">{note}</span>}
              </div>
            </li>
          );
        })}
      </ol>
    </div>
  );
}

/** 'Sent 2 s late' for the plan, '12 ms after' or '1 s before' for the steps that follow it. */
function noteOf(field: (typeof STEPS)[number][1], delivery: Delivery): string | null {
  const { plannedAt, latenessMs, [field]: at } = delivery;
  if (field === 'plannedAt') {
    if (latenessMs === null) return null;
    return latenessMs < 1 ? 'Sent on time' : `Sent ${formatDuration(latenessMs)} late`;
  }
  if (at === null) return null;
  const ms = Date.parse(at) - Date.parse(plannedAt);
  return `${formatDuration(ms)} ${ms < 0 ? 'before' : 'after'}`;
}

/** The journal has no times of a post that was published by other means. */
function missingTime({ confirmedAt, nextLookAt, hold }: Delivery): string {
  if (confirmedAt !== null) return 'Not recorded';
  return nextLookAt === null && hold === null ? 'No' : 'Not yet';
}

const OUTCOMES: Readonly<Record<string, string>> = {
  published: 'Published',
  already: 'Published by an earlier attempt',
  altered: 'Another version is published',
  refused: 'Refused by the host',
  unknown: 'Sent, but never confirmed',
};

/** Names host and keys of the post; each post of a thread has a record of its own. */
function Facts({ delivery }: { delivery: Delivery }) {
  const { host, outcome, claims, nextLookAt, records } = delivery;
  if (host === null && outcome === null && nextLookAt === null) return null;
  return (
    <DescriptionList minColumn="11rem">
      {outcome !== null && (
        <DescriptionItem label="Outcome">{OUTCOMES[outcome] ?? outcome}</DescriptionItem>
      )}
      {host !== null && (
        <DescriptionItem label="Host">
          <SafeText>{host}</SafeText>
        </DescriptionItem>
      )}
      {claims > 0 && <DescriptionItem label="Attempts">{formatNumber(claims)}</DescriptionItem>}
      {nextLookAt !== null && (
        <DescriptionItem label="Next attempt">
          <Time value={nextLookAt} />
        </DescriptionItem>
      )}
      {records.map(({ rkey, uri, cid }, index) => (
        <DescriptionItem
          key={rkey}
          label={records.length === 1 ? 'Record' : `Record ${index + 1} of ${records.length}`}
          wide
        >
          <Mono value={uri} copyLabel="Copy record address" />
          <span className="mt-1 block text-sm text-muted">
            CID <Mono value={cid} copyLabel="Copy CID" />
          </span>
        </DescriptionItem>
      ))}
    </DescriptionList>
  );
}

const COLUMNS: readonly Column<Delivery['attempts'][number]>[] = [
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
    cell: ({ status, error }) => (
      <SafeText>{[status, error].filter((part) => part !== null).join(' ') || NOTHING}</SafeText>
    ),
    width: '18%',
  },
  { header: 'Cause', cell: ({ cause }) => <SafeText>{cause.sentence}</SafeText>, wide: true },
];

/** The read of a post's delivery; `isLoading` until it is known, where Meridian knows any. */
export function useDelivery(postId: string, post: Post | undefined, isThere: boolean) {
  const isOffered = useIsMeridian();
  const args = { params: { id: postId } };
  const options = { enabled: isOffered && isThere, pollMs: pollMsOf(post) };
  const query = useEndpointQuery(deliveryGet, args, options);
  const { refetch } = query;
  const seen = useRef(post);
  // A changed post has another delivery, whether the engine or an administrator changed it.
  useEffect(() => {
    const before = seen.current;
    seen.current = post;
    const isChanged = before?.id === post?.id && before?.version !== post?.version;
    if (isOffered && isChanged) void refetch();
  }, [isOffered, post, refetch]);
  return query;
}

const POLL_MS = 2000;
const SOON_MS = 60_000;

export function pollMsOf(post: Post | undefined): number | undefined {
  const dueInMs = (parseTime(post?.scheduled_at)?.getTime() ?? Infinity) - Date.now();
  const isSoon = post?.status === 'PENDING' && Math.abs(dueInMs) < SOON_MS;
  return post?.status === 'PROCESSING' || isSoon ? POLL_MS : undefined;
}
