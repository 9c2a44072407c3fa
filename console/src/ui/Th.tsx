import type { ReactNode } from 'react';

export interface ThProps {
  children: ReactNode;
  align?: 'start' | 'end' | undefined;
  /** Any CSS width. Columns without one share what is left. */
  width?: string | undefined;
}

export function Th({ children, align, width }: ThProps) {
  return (
    <th scope="col" data-align={align} style={{ width }}>
      {children}
    </th>
  );
}
