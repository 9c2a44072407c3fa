import { useContext, useRef, useState } from 'react';
import { cx } from './cx.ts';
import { formatDateTime, formatRelative, formatUtc, parseTime } from './format-time.ts';
import { NOTHING } from './nothing.ts';
import { TimeDetails } from './TimeDetails.tsx';
import { TimeStopContext } from './time-stop.ts';
import { TooltipBubble } from './TooltipBubble.tsx';
import { useTooltip } from './use-tooltip.ts';

export interface TimeProps {
  /** ISO 8601. */
  value: string | null | undefined;
  /** Shown when there is no time: 'Never', 'N/A'. */
  fallback?: string | undefined;
  className?: string | undefined;
}

/**
 * Medium date and short time in the browser's zone; hover, a press or focus adds UTC and the
 * distance. A screen reader has both anyway.
 */
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
