import type { EngineState, Suspension } from '@meridian/contract/engine';
import { TONE_CLASS } from '@meridian/ui/Badge.tsx';
import { useNow } from '@meridian/ui/DataAge.tsx';
import { SafeText } from '@meridian/ui/SafeText.tsx';
import { cx } from '@meridian/ui/classes.ts';
import { formatDateTime, formatRelative, parseTime } from '@meridian/ui/format.ts';
import { AppLink } from '@meridian/ui/links.tsx';
import { clockSentence, postsText } from './figures.tsx';

export interface StripLineProps {
  state: EngineState;
  /** The condition that keeps every post from being published, and the page that can change it. */
  trouble: { words: string; since: string | null; to: string; label: string };
}

/** One line under the top edge of every page, in the padding of the page: it moves nothing. */
export function StripLine({ state, trouble }: StripLineProps) {
  return (
    <aside
      aria-label="Service state"
      data-print="hide"
      className="@container sticky top-14 z-20 block h-0 lg:top-0"
    >
      <p
        className={cx(
          'flex h-6 items-center justify-center gap-1.5 px-4 text-xs font-medium whitespace-nowrap forced-colors:border-b',
          TONE_CLASS.orange,
        )}
      >
        {/* Only what has happened is announced, not every new count. */}
        <output>{trouble.words}</output>
        {state.suspension?.by && (
          <span className="truncate @max-4xl:sr-only">
            by <SafeText>{state.suspension.by}</SafeText>
          </span>
        )}
        {trouble.since === null && <ClockWords workers={state.workers} />}
        <Since value={trouble.since} />
        {state.suspension && <SuspensionWords suspension={state.suspension} />}
        <span aria-hidden="true">·</span>
        <span className="tabular-nums">
          {postsText(state.waiting.count)}
          <span className="@max-xl:sr-only"> waiting</span>
        </span>
        <Oldest value={state.waiting.oldestAt} />
        <span aria-hidden="true">·</span>
        <AppLink to={trouble.to} className="flex h-6 items-center rounded-sm underline">
          {trouble.label}
        </AppLink>
      </p>
    </aside>
  );
}

function SuspensionWords({ suspension: { reason, expectedEndAt } }: { suspension: Suspension }) {
  const endsAt = parseTime(expectedEndAt);
  return (
    <>
      {reason !== null && (
        <span className="flex min-w-0 gap-1.5 @max-4xl:sr-only">
          <span aria-hidden="true">·</span>
          <SafeText className="truncate">{reason}</SafeText>
        </span>
      )}
      {endsAt !== undefined && (
        <span className="@max-4xl:sr-only">
          <span aria-hidden="true">· </span>expected to end{' '}
          <time dateTime={endsAt.toISOString()}>{formatDateTime(endsAt)}</time>
        </span>
      )}
    </>
  );
}

function ClockWords({ workers }: Pick<EngineState, 'workers'>) {
  const off = workers.find(({ isAlive, clockOffMs }) => isAlive && clockOffMs);
  if (!off?.clockOffMs) return null;
  return <span className="truncate @max-4xl:sr-only">{clockSentence(off.clockOffMs)}</span>;
}

function Oldest({ value }: { value: string | null }) {
  const now = useNow();
  const oldest = parseTime(value);
  if (oldest === undefined) return null;
  return (
    <span className="@max-4xl:sr-only">
      <span aria-hidden="true">· </span>oldest due{' '}
      <time dateTime={oldest.toISOString()}>{formatRelative(oldest, now)}</time>
    </span>
  );
}

function Since({ value }: { value: string | null }) {
  const now = useNow();
  const since = parseTime(value);
  if (since === undefined) return null;
  return (
    <>
      <time dateTime={since.toISOString()} className="tabular-nums @max-xl:hidden">
        since {formatDateTime(since)}
      </time>
      <span className="@xl:hidden">{formatRelative(since, now)}</span>
    </>
  );
}
