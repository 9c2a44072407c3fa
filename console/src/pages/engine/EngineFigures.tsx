import type { EngineState } from '@meridian/contract/engine';
import type { ReactNode } from 'react';
import { countWithCeiling } from '../../components/engine/count-words.ts';
import { AppLink } from '../../components/navigation/AppLink.tsx';
import { paths, withSearch } from '../../paths.ts';
import { Badge } from '../../ui/Badge.tsx';
import { Card } from '../../ui/Card.tsx';
import { formatDuration } from '../../ui/format-duration.ts';
import { formatNumber } from '../../ui/format-number.ts';
import { formatDateTime } from '../../ui/format-time.ts';
import { NOTHING } from '../../ui/nothing.ts';
import { Skeleton } from '../../ui/Skeleton.tsx';

/** The overdue ones come first in it. */
const WAITING_POSTS = withSearch(paths.posts, { status: 'PENDING', order: 'asc' });
const PUBLISHED_POSTS = withSearch(paths.posts, { status: 'COMPLETED' });

const perSecond = (perMinute: number) =>
  `${formatNumber(Math.round(perMinute / 6) / 10)} per second`;
const at = (time: string | null) => (time === null ? NOTHING : formatDateTime(new Date(time)));

function stateOf(state: EngineState) {
  const { isSuspended, suspendedAt, isAlive, isExpected, lastSeenAt, network } = state;
  if (isSuspended)
    return { badge: <Badge tone="orange">Suspended</Badge>, below: `Since ${at(suspendedAt)}` };
  if (isAlive)
    return {
      badge: <Badge tone="green">Running</Badge>,
      below: `Publishes to the ${network} network`,
    };
  if (!isExpected)
    return { badge: <Badge tone="gray">Off</Badge>, below: 'Nothing is published from here' };
  const below = lastSeenAt === null ? 'No worker has ever run' : `Last seen ${at(lastSeenAt)}`;
  return { badge: <Badge tone="red">Not running</Badge>, below };
}

function waitingText({ waiting: { oldestAt, tooLate } }: EngineState): string {
  if (oldestAt === null) return 'Nothing is overdue';
  return tooLate === 0
    ? `Oldest due ${at(oldestAt)}`
    : `${countWithCeiling(tooLate)} past the late limit`;
}

/** How the engine is doing, in four figures. */
export function EngineFigures({ state }: { state: EngineState | undefined }) {
  const lateness = state?.lastMinute.lateness;
  const condition = state && stateOf(state);
  return (
    <div className="grid gap-4 sm:grid-cols-2 xl:grid-cols-4">
      <Figure title="State" below={condition?.below}>
        {condition?.badge}
      </Figure>
      <Figure
        title="Published, last minute"
        to={PUBLISHED_POSTS}
        below={state && perSecond(state.lastMinute.published)}
      >
        {state && formatNumber(state.lastMinute.published)}
      </Figure>
      <Figure
        title="Lateness, last minute"
        below={state && (lateness ? `p99 ${formatDuration(lateness.p99Ms)}` : 'Nothing measured')}
      >
        {state && (lateness ? formatDuration(lateness.p50Ms) : NOTHING)}
      </Figure>
      <Figure title="Waiting" to={WAITING_POSTS} below={state && waitingText(state)}>
        {state && countWithCeiling(state.waiting.count)}
      </Figure>
    </div>
  );
}

interface FigureProps {
  title: string;
  /** The list behind the number. */
  to?: string;
  below: string | undefined;
  /** Undefined until it is known: never a false zero. */
  children: ReactNode | undefined;
}

function Figure({ title, to, below, children }: FigureProps) {
  return (
    <Card
      as="article"
      className="relative p-5 transition-colors has-[a]:hover:border-border-strong"
    >
      <h2 className="text-base leading-6 font-medium text-muted">
        {to === undefined ? (
          title
        ) : (
          <AppLink to={to} className="rounded-sm after:absolute after:inset-0 after:rounded-lg">
            {title}
          </AppLink>
        )}
      </h2>
      <div className="mt-1 flex h-9 items-center text-2xl font-semibold tabular-nums">
        {children ?? <Skeleton width="6rem" />}
      </div>
      <p className="mt-0.5 truncate text-sm text-muted">{below ?? <Skeleton width="8rem" />}</p>
    </Card>
  );
}
