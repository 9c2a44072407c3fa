import {
  ENGINE_COUNT_MAX,
  type EngineHost,
  type EngineState,
  type EngineWorker,
} from '@meridian/contract/engine';
import { clockSentence, countWithCeiling } from '../../components/engine/count-words.ts';
import type { Column } from '../../components/list/column.ts';
import { Badge } from '../../ui/Badge.tsx';
import { formatDuration } from '../../ui/format-duration.ts';
import { formatNumber } from '../../ui/format-number.ts';
import { Mono } from '../../ui/Mono.tsx';
import { NOTHING } from '../../ui/nothing.ts';
import { SafeText } from '../../ui/SafeText.tsx';
import { Time } from '../../ui/Time.tsx';
import type { Tone } from '../../ui/tone.ts';
import { HeldReason } from './HeldReason.tsx';
import { TIME_COLUMN_WIDTH } from '../../ui/time-width.ts';

export const HELD_COLUMNS: readonly Column<EngineState['held'][number]>[] = [
  { header: 'Reason', cell: (held) => <HeldReason {...held} />, unlabelled: true },
  { header: 'Hold', cell: ({ hold }) => <Mono value={hold} />, width: '12rem' },
  {
    header: 'Posts',
    cell: ({ count }) => countWithCeiling(count, ENGINE_COUNT_MAX),
    align: 'end',
    width: '8rem',
    corner: true,
  },
];

function workerBadge({ isAlive, isStopping, clockOffMs }: EngineWorker) {
  if (!isAlive) return <Badge tone="red">Not seen</Badge>;
  if (clockOffMs) return <Badge tone="red">Clock off</Badge>;
  return isStopping ? <Badge tone="amber">Stopping</Badge> : <Badge tone="green">Running</Badge>;
}

export const WORKER_COLUMNS: readonly Column<EngineWorker>[] = [
  {
    header: 'Worker',
    cell: ({ id, isAlive, clockOffMs }) => (
      <>
        <Mono value={id} />
        {isAlive && clockOffMs && (
          <span className="block text-sm text-muted">{clockSentence(clockOffMs)}</span>
        )}
      </>
    ),
    unlabelled: true,
    wide: true,
  },
  { header: 'State', cell: workerBadge, width: '8rem', corner: true },
  {
    header: 'Started',
    cell: ({ startedAt }) => <Time value={startedAt} />,
    width: TIME_COLUMN_WIDTH,
  },
  { header: 'Last seen', cell: ({ seenAt }) => <Time value={seenAt} />, width: TIME_COLUMN_WIDTH },
  {
    header: 'Claimed',
    cell: ({ claimed }) => formatNumber(claimed),
    align: 'end',
    width: '7rem',
  },
  {
    header: 'Published',
    cell: ({ published }) => formatNumber(published),
    align: 'end',
    width: '7rem',
  },
  {
    header: 'p99 late',
    cell: ({ lastMinute: { lateness } }) => (lateness ? formatDuration(lateness.p99Ms) : NOTHING),
    align: 'end',
    width: '7rem',
  },
];

const HOST_STATES: Readonly<Record<string, { tone: Tone; label: string }>> = {
  OPEN: { tone: 'green', label: 'Open' },
  SLOW: { tone: 'amber', label: 'Slow' },
  LIMITED: { tone: 'orange', label: 'Limited' },
  DOWN: { tone: 'red', label: 'Down' },
};

function hostBadge({ state }: EngineHost) {
  const { tone, label } = HOST_STATES[state] ?? { tone: 'gray', label: state };
  return <Badge tone={tone}>{label}</Badge>;
}

export const HOST_COLUMNS: readonly Column<EngineHost>[] = [
  {
    header: 'Host',
    cell: ({ host, cause }) => (
      <>
        <Mono value={host} />
        {cause !== null && (
          <span className="block text-sm text-muted">
            <SafeText>{cause}</SafeText>
          </span>
        )}
      </>
    ),
    unlabelled: true,
    wide: true,
  },
  { header: 'State', cell: hostBadge, width: '8rem', corner: true },
  { header: 'Since', cell: ({ since }) => <Time value={since} />, width: TIME_COLUMN_WIDTH },
  {
    header: 'Next call',
    cell: ({ retryAt }) => <Time value={retryAt} />,
    width: TIME_COLUMN_WIDTH,
  },
  {
    header: 'Last success',
    cell: ({ lastOkAt }) => <Time value={lastOkAt} />,
    // With the margin of the card.
    width: `calc(${TIME_COLUMN_WIDTH} + 0.5rem)`,
  },
];
