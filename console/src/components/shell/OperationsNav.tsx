import { useId } from 'react';
import { useIsMeridian } from '../../auth/use-is-meridian.ts';
import { OPERATIONS_ITEMS } from './nav-items.ts';
import { NavItem } from './NavItem.tsx';

interface OperationsNavProps {
  onNavigate?: (() => void) | undefined;
}

/** The second group of links: what Meridian offers beyond the specification. */
export function OperationsNav({ onNavigate }: OperationsNavProps) {
  // Twice in the document while the drawer is open.
  const titleId = useId();
  if (!useIsMeridian()) return null;
  return (
    <nav aria-labelledby={titleId} className="mt-6 px-3">
      <h2 id={titleId} className="mb-1 px-2.5 text-xs font-medium text-muted">
        Operations
      </h2>
      <ul className="flex flex-col gap-0.5">
        {OPERATIONS_ITEMS.map((item) => (
          <NavItem key={item.to} {...item} onNavigate={onNavigate} />
        ))}
      </ul>
    </nav>
  );
}
