import type { ReactNode } from 'react';
import { cx } from './classes.ts';
import { NOTHING } from './format.ts';

export type Tone = 'green' | 'amber' | 'orange' | 'red' | 'blue' | 'violet' | 'gray';

/** Whole class names, as the stylesheet is made from the names found in the source. */
export const TONE_CLASS: Record<Tone, string> = {
  green: 'bg-green-tint text-green',
  amber: 'bg-amber-tint text-amber',
  orange: 'bg-orange-tint text-orange',
  red: 'bg-red-tint text-red',
  blue: 'bg-blue-tint text-blue',
  violet: 'bg-violet-tint text-violet',
  gray: 'bg-gray-tint text-gray',
};

export const MARK_CLASS: Record<Tone, string> = {
  green: 'bg-green-mark fill-green-mark',
  amber: 'bg-amber-mark fill-amber-mark',
  orange: 'bg-orange-mark fill-orange-mark',
  red: 'bg-red-mark fill-red-mark',
  blue: 'bg-blue-mark fill-blue-mark',
  violet: 'bg-violet-mark fill-violet-mark',
  gray: 'bg-gray-mark fill-gray-mark',
};

interface BadgeProps {
  tone: Tone;
  children: ReactNode;
  className?: string | undefined;
}

/** A dot and a word: the colour alone never tells the state. */
export function Badge({ tone, children, className }: BadgeProps) {
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
