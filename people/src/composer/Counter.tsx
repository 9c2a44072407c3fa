import { cx } from '../../../console/src/ui/cx.ts';

/** From here on the number left is worth hearing. */
const NEAR = 20;
const CIRCUMFERENCE = 2 * Math.PI * 8;

/** How much of the allowed length is used: a ring, and the number that is left. */
export function Counter({ id, count, limit }: { id: string; count: number; limit: number }) {
  const left = limit - count;
  const share = limit === 0 ? 1 : Math.min(1, count / limit);
  const tone = left < 0 ? 'text-danger' : left <= NEAR ? 'text-amber' : 'text-accent';
  return (
    <span className="flex items-center gap-2 text-sm tabular-nums">
      <span aria-hidden="true" className={left <= NEAR ? tone : 'text-muted'}>
        {left}
      </span>
      <svg aria-hidden="true" viewBox="0 0 20 20" className={cx('size-5 -rotate-90', tone)}>
        <circle cx="10" cy="10" r="8" fill="none" strokeWidth="2.5" className="stroke-sunken" />
        <circle
          cx="10"
          cy="10"
          r="8"
          fill="none"
          stroke="currentColor"
          strokeWidth="2.5"
          strokeDasharray={`${share * CIRCUMFERENCE} ${CIRCUMFERENCE}`}
        />
      </svg>
      <span id={id} className="sr-only">
        {count} of {limit} characters
      </span>
      <span aria-live="polite" className="sr-only">
        {left <= NEAR && (left < 0 ? `${-left} too many` : `${left} left`)}
      </span>
    </span>
  );
}
