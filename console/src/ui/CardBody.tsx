import type { ComponentProps } from 'react';
import { cx } from './cx.ts';

/** The padded inside of a card. Leave it out around tables and lists that reach the border. */
export function CardBody({ className, ...rest }: ComponentProps<'div'>) {
  return <div {...rest} className={cx('px-5 pb-5 first:pt-5', className)} />;
}
