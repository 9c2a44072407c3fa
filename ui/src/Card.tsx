import type { ComponentProps, ReactNode } from 'react';
import { cx } from './classes.ts';

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

interface CardHeaderProps {
  title: ReactNode;
  titleId?: string | undefined;
  description?: ReactNode;
  actions?: ReactNode;
  level?: 2 | 3 | undefined;
  className?: string | undefined;
}

export function CardHeader(props: CardHeaderProps) {
  const { title, titleId, description, actions, level = 2, className } = props;
  const Heading = level === 2 ? 'h2' : 'h3';
  return (
    <header className={cx('flex flex-wrap items-center gap-x-4 gap-y-2 px-5 pt-4 pb-3', className)}>
      {/* Actions take a line of their own rather than wrap a title; a description may wrap. */}
      <div className={cx('min-w-0 flex-1', description === undefined ? 'basis-auto' : 'basis-48')}>
        <Heading id={titleId} className="text-base leading-6 font-semibold">
          {title}
        </Heading>
        {description !== undefined && <p className="text-sm text-muted">{description}</p>}
      </div>
      {actions !== undefined && <div className="flex flex-wrap items-center gap-2">{actions}</div>}
    </header>
  );
}

/** The padded inside of a card. Leave it out around tables and lists that reach the border. */
export function CardBody({ className, ...rest }: ComponentProps<'div'>) {
  return <div {...rest} className={cx('px-5 pb-5 first:pt-5', className)} />;
}

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
