import type { LucideIcon } from 'lucide-react';
import { AppLink } from '../../components/navigation/AppLink.tsx';
import { Card } from '../../ui/Card.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';

export interface StatCardProps {
  title: string;
  /** Undefined until it is known: never a false zero. */
  value: string | undefined;
  subtitle: string | undefined;
  /** The list behind the number. */
  to: string;
  Icon: LucideIcon;
}

export function StatCard({ title, value, subtitle, to, Icon }: StatCardProps) {
  return (
    <Card as="article" className="relative p-5 transition-colors hover:border-border-strong">
      <div className="flex items-center justify-between gap-3">
        <h2 className="text-base leading-6 font-medium text-muted">
          {/* The whole card can be pressed; its name is the title. */}
          <AppLink to={to} className="rounded-sm after:absolute after:inset-0 after:rounded-lg">
            {title}
          </AppLink>
        </h2>
        <Icon aria-hidden="true" className="size-4 shrink-0 text-muted" />
      </div>
      <p className="mt-1 text-2xl font-semibold tabular-nums">
        {value ?? <Skeleton width="6rem" />}
      </p>
      <p className="mt-0.5 text-sm text-muted">{subtitle ?? <Skeleton width="8rem" />}</p>
    </Card>
  );
}
