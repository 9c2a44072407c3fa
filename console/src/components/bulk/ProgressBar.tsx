import type { BulkChange } from '@meridian/contract/bulk';
import { formatNumber } from '../../ui/format-number.ts';

type Figures = Pick<BulkChange, 'total' | 'done' | 'failed' | 'skipped'>;

/** Rows that have a result. */
export function settledOf({ done, failed, skipped }: Figures): number {
  return done + failed + skipped;
}

/** '300 of 1,204', and what was not done. */
export function progressWords(change: Figures): string {
  const { total, skipped, failed } = change;
  const words = [`${formatNumber(settledOf(change))} of ${formatNumber(total)}`];
  if (skipped > 0) words.push(`${formatNumber(skipped)} skipped`);
  if (failed > 0) words.push(`${formatNumber(failed)} failed`);
  return words.join(', ');
}

export function ProgressBar({ change, label }: { change: Figures; label: string }) {
  return (
    <progress
      aria-label={label}
      max={change.total}
      value={settledOf(change)}
      className="h-1.5 w-full appearance-none overflow-hidden rounded-full bg-sunken accent-(--accent) [&::-moz-progress-bar]:bg-(--accent) [&::-webkit-progress-bar]:bg-sunken [&::-webkit-progress-value]:bg-(--accent) [&::-webkit-progress-value]:transition-[inline-size]"
    />
  );
}
