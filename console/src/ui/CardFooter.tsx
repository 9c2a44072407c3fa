import type { ComponentProps } from 'react';
import { cx } from './cx.ts';

export function CardFooter({ className, ...rest }: ComponentProps<'footer'>) {
  return (
    <footer
      {...rest}
      className={cx(
        'flex flex-wrap items-center gap-2 border-t border-border px-5 py-3',
        className,
      )}
    />
  );
}
