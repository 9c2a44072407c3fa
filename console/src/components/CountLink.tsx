import type { ReactNode } from 'react';
import { AppLink } from './navigation/AppLink.tsx';

export interface CountLinkProps {
  to: string | undefined;
  /** What is counted, with the number, where the link's own words are the number alone. */
  label?: string | undefined;
  children: ReactNode;
}

/** A number that leads to the list behind it, where there is one. Above a link around it. */
export function CountLink({ to, label, children }: CountLinkProps) {
  if (to === undefined) return children;
  return (
    <AppLink
      to={to}
      aria-label={label}
      className="relative z-1 rounded-sm text-accent-text tabular-nums underline after:absolute after:-inset-x-2.5 after:-inset-y-1.5"
    >
      {children}
    </AppLink>
  );
}
