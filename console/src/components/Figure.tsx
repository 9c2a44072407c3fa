import type { ReactNode } from 'react';
import { Card } from '../ui/Card.tsx';
import { Skeleton } from '../ui/Skeleton.tsx';
import { AppLink } from './navigation/AppLink.tsx';

export interface FigureProps {
  title: string;
  /** The list behind the number; the whole card can be pressed. */
  to?: string | undefined;
  below: string | undefined;
  /** Undefined until it is known: never a false zero. */
  children: ReactNode | undefined;
  /** What it consists of, each with a link of its own. */
  parts?: ReactNode;
  /** 3: one of a list below a heading. */
  level?: 2 | 3 | undefined;
}

/** One number with its title, in a card. */
export function Figure({ title, to, below, children, parts, level = 2 }: FigureProps) {
  const Heading = level === 2 ? 'h2' : 'h3';
  return (
    <Card
      as={level === 2 ? 'article' : 'li'}
      className="relative p-5 transition-colors has-[h2_a,h3_a]:hover:border-border-strong"
    >
      <Heading className="text-base leading-6 font-medium text-muted">
        {to === undefined ? (
          title
        ) : (
          <AppLink to={to} className="rounded-sm after:absolute after:inset-0 after:rounded-lg">
            {title}
          </AppLink>
        )}
      </Heading>
      <div className="mt-1 flex h-9 items-center text-2xl font-semibold tabular-nums">
        {children ?? <Skeleton width="6rem" />}
      </div>
      <p className="mt-0.5 text-sm text-muted">{below ?? <Skeleton width="8rem" />}</p>
      {parts}
    </Card>
  );
}
