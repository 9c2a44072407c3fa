import type { ReactNode } from 'react';
import { AppLink } from './navigation/AppLink.tsx';

/** A number that leads to the list behind it, where there is one. Above a link around it. */
export function CountLink({ to, children }: { to: string | undefined; children: ReactNode }) {
  if (to === undefined) return children;
  return (
    <AppLink
      to={to}
      className="relative z-1 rounded-sm text-accent-text tabular-nums underline after:absolute after:-inset-1.5"
    >
      {children}
    </AppLink>
  );
}
