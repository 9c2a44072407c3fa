import type { EngineState } from '@meridian/contract/engine';
import { DueCard } from '../../components/DueCard.tsx';
import { useNow } from '../../components/use-now.ts';
import { paths, withSearch } from '../../paths.ts';

const PENDING_POSTS = withSearch(paths.posts, { status: 'PENDING', order: 'asc' });

interface NextHourCardProps {
  minutes: EngineState['nextHour'] | undefined;
}

/** What the engine looks at in the next hour, retries included: no list shows exactly these. */
export function NextHourCard({ minutes }: NextHourCardProps) {
  // The hour begins within a minute and ends within another.
  const span = { from: useNow(), stepMinutes: 1, length: 61 };
  return (
    <DueCard
      title="Due in the next hour"
      due={minutes}
      unit="minute"
      to={PENDING_POSTS}
      {...span}
    />
  );
}
