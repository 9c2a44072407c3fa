import type { EngineState } from '@meridian/contract/engine';
import { countWithCeiling } from '../../components/engine/count-words.ts';
import { conditionOf } from '../../components/engine/engine-condition.tsx';
import { Figure } from '../../components/Figure.tsx';
import { paths, withSearch } from '../../paths.ts';
import { formatDuration } from '../../ui/format-duration.ts';
import { formatNumber } from '../../ui/format-number.ts';
import { formatDateTime } from '../../ui/format-time.ts';
import { NOTHING } from '../../ui/nothing.ts';

/** The overdue ones come first in it. */
const WAITING_POSTS = withSearch(paths.posts, { status: 'PENDING', order: 'asc' });
const PUBLISHED_POSTS = withSearch(paths.posts, { status: 'COMPLETED' });

const perSecond = (perMinute: number) =>
  `${formatNumber(Math.round(perMinute / 6) / 10)} per second`;
const at = (time: string | null) => (time === null ? NOTHING : formatDateTime(new Date(time)));

function waitingText({ waiting: { oldestAt, tooLate } }: EngineState): string {
  if (oldestAt === null) return 'Nothing is overdue';
  return tooLate === 0
    ? `Oldest due ${at(oldestAt)}`
    : `${countWithCeiling(tooLate)} past the late limit`;
}

/** How the engine is doing, in four figures. */
export function EngineFigures({ state }: { state: EngineState | undefined }) {
  const lateness = state?.lastMinute.lateness;
  const condition = state && conditionOf(state);
  return (
    <div className="grid gap-4 @xl:grid-cols-2 @4xl:grid-cols-4">
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
