import type { ReactNode } from 'react';

export interface ThProps {
  children: ReactNode;
  /** Its words, where it holds a control as well: they are read with every cell of the column. */
  label?: string | undefined;
  align?: 'start' | 'end' | undefined;
  /** Any CSS width. Columns without one share what is left. */
  width?: string | undefined;
  /** Left out where there is no room for it. */
  roomy?: boolean | undefined;
}

export function Th({ children, label, align, width, roomy = false }: ThProps) {
  return (
    <th
      scope="col"
      aria-label={label}
      data-align={align}
      data-roomy={roomy ? '' : undefined}
      style={{ width }}
    >
      {children}
    </th>
  );
}
