import { Skeleton } from '../../ui/Skeleton.tsx';
import type { ServiceFlag } from './service-flags.ts';

/** The words of a switch, before it is known whether it is on. */
export function ServiceSwitchSkeleton({ flag }: { flag: ServiceFlag }) {
  return (
    <div className="flex items-start justify-between gap-4 coarse:min-h-10">
      <div className="min-w-0">
        <p className="text-base font-medium">{flag.label}</p>
        <p className="text-sm text-muted">{flag.description}</p>
      </div>
      <Skeleton round width="2.5rem" height="1.375rem" />
    </div>
  );
}
