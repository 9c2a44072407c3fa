import { createContext, useContext, useRef, useState } from 'react';
import { TooltipBubble, useTooltip } from './Tooltip.tsx';
import { cx } from './classes.ts';
import { formatDateTime, formatRelative, formatUtc, NOTHING, parseTime } from './format.ts';

interface TimeProps {
  value: string | null | undefined;
  fallback?: string | undefined;
  className?: string | undefined;
}

/** Date and time in the browser's zone; hover, a press or focus adds UTC and the distance. */
export function Time({ value, fallback = NOTHING, className }: TimeProps) {
  const anchor = useRef<HTMLTimeElement>(null);
  const tooltip = useTooltip();
  const isStop = useContext(TimeStopContext);
  const [now] = useState(() => new Date());
  const date = parseTime(value);
  // A time that cannot be read is shown as it came: better than a guess.
  if (date === undefined) return <span className={className}>{value || fallback}</span>;
  return (
    // A finger has no hover: it presses, which gives the focus.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <time
      ref={anchor}
      dateTime={date.toISOString()}
      // The tooltip opens on focus: by keyboard there is no other way to it.
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={isStop ? 0 : -1}
      aria-description={`${formatUtc(date)}, ${formatRelative(date, now)}`}
      className={cx('rounded-sm whitespace-nowrap tabular-nums', className)}
      onPointerEnter={tooltip.openSoon}
      onPointerLeave={tooltip.closeSoon}
      onFocus={tooltip.open}
      onBlur={tooltip.close}
    >
      {formatDateTime(date)}
      {tooltip.isOpen && (
        <TooltipBubble tooltip={tooltip} anchor={anchor}>
          <TimeDetails date={date} />
        </TooltipBubble>
      )}
    </time>
  );
}

function TimeDetails({ date }: { date: Date }) {
  const [now] = useState(() => new Date());
  return (
    <>
      <span className="block tabular-nums">{formatUtc(date)}</span>
      <span className="block text-muted">{formatRelative(date, now)}</span>
    </>
  );
}

/** True where times are stops for the Tab key: in a list of details, unlike a table, they are few. */
export const TimeStopContext = createContext(false);

/** The room of a time on one line: the longest month, at somewhat more than the width of a letter. */
export const DATE_TIME_WIDTH = `${
  Math.max(
    ...Array.from(
      { length: 12 },
      (_, month) => formatDateTime(new Date(2026, month, 28, 22)).length,
    ),
  ) * 0.475
}rem`;

export const TIME_COLUMN_WIDTH = `calc(${DATE_TIME_WIDTH} + 1.5rem)`;
