import type { ReactNode } from 'react';
import { cx } from './cx.ts';
import { NOTHING } from './nothing.ts';
import { MARK_CLASS, TONE_CLASS, type Tone } from './tone.ts';

export interface BadgeProps {
  tone: Tone;
  children: ReactNode;
  className?: string | undefined;
}

/** A dot and a word: the colour alone never tells the state. */
export function Badge({ tone, children, className }: BadgeProps) {
  // A server that does not say: a pill without a word says nothing.
  if (children === '') return <span className="text-muted">{NOTHING}</span>;
  return (
    <span
      className={cx(
        'inline-flex min-h-[1.375rem] max-w-full items-center gap-1.5 rounded-full px-2.5 text-xs font-medium forced-colors:border',
        TONE_CLASS[tone],
        className,
      )}
    >
      <span
        aria-hidden="true"
        className={cx('color-mark size-1.5 shrink-0 rounded-full', MARK_CLASS[tone])}
      />
      {/* Where letters are spaced wide a word may break, but is not cut. */}
      <span className="line-clamp-2 wrap-anywhere">{children}</span>
    </span>
  );
}
