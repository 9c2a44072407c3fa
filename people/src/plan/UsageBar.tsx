import { useId } from 'react';
import { cx } from '../../../console/src/ui/cx.ts';

type UsageBarProps = {
  label: string;
  used: number;
  /** Negative for no limit. */
  limit: number;
  format: (value: number) => string;
  hint?: string | undefined;
};

/** From here on it is worth a look. */
const NEARLY = 0.8;

export function UsageBar({ label, used, limit, format, hint }: UsageBarProps) {
  const id = useId();
  const isUnlimited = limit < 0;
  const share = isUnlimited ? 0 : limit === 0 ? 1 : Math.min(1, used / limit);
  const tone = share >= 1 ? 'bg-red-mark' : share >= NEARLY ? 'bg-amber-mark' : 'bg-blue-mark';
  return (
    <div>
      <div className="flex flex-wrap items-baseline justify-between gap-x-3 text-sm">
        <span id={id} className="font-medium">
          {label}
        </span>
        <span className="text-muted tabular-nums">
          {isUnlimited ? `${format(used)}, unlimited` : `${format(used)} of ${format(limit)}`}
        </span>
      </div>
      {!isUnlimited && (
        <div
          // The element of that name takes no colours of ours.
          // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
          role="meter"
          aria-labelledby={id}
          aria-valuemin={0}
          aria-valuemax={limit}
          aria-valuenow={Math.min(used, limit)}
          aria-valuetext={`${format(used)} of ${format(limit)}`}
          className="mt-1.5 h-1.5 overflow-hidden rounded-full bg-sunken forced-colors:border"
        >
          <div
            style={{ width: `${share * 100}%` }}
            className={cx('color-mark h-full rounded-full', tone)}
          />
        </div>
      )}
      {hint !== undefined && <p className="mt-1 text-xs text-muted">{hint}</p>}
    </div>
  );
}
