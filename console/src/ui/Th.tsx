import type { ReactNode } from 'react';

export interface ThProps {
  children: ReactNode;
  align?: 'start' | 'end' | undefined;
  /** Any CSS width. Columns without one share what is left. */
  width?: string | undefined;
  /** Left out where there is no room for it. */
  roomy?: boolean | undefined;
}

export function Th({ children, align, width, roomy = false }: ThProps) {
  return (
    <th scope="col" data-align={align} data-roomy={roomy ? '' : undefined} style={{ width }}>
      {children}
    </th>
  );
}
