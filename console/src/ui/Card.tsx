import type { ComponentProps } from 'react';
import { cx } from './cx.ts';

/** A surface with a hairline border. `section` when it has a heading of its own, via `as`. */
export function Card({
  as: Tag = 'section',
  className,
  ...rest
}: Omit<ComponentProps<'section'>, 'ref'> & { as?: 'section' | 'article' | 'div' | 'li' }) {
  return (
    <Tag
      {...rest}
      className={cx(
        'min-w-0 overflow-clip rounded-lg border border-border bg-surface shadow-card',
        className,
      )}
    />
  );
}
