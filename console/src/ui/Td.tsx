import type { ComponentProps, ReactNode } from 'react';

export interface TdProps extends Omit<ComponentProps<'td'>, 'align'> {
  /** The column's name, shown beside the value where rows are stacked. */
  label?: string | undefined;
  align?: 'start' | 'end' | undefined;
  /** Takes two places where a row is a block of cells, some to a line. */
  wide?: boolean | undefined;
  /** Stands at the end of the first line where rows are narrow. */
  corner?: boolean | undefined;
  /** Left out where there is no room for it. */
  roomy?: boolean | undefined;
  /** Stands in the margin, beside the content. */
  box?: ReactNode;
}

export function Td({
  label,
  align,
  wide = false,
  corner = false,
  roomy = false,
  box,
  children,
  ...rest
}: TdProps) {
  return (
    <td
      {...rest}
      data-label={label}
      data-align={align}
      data-span={wide ? '' : undefined}
      data-corner={corner ? '' : undefined}
      data-roomy={roomy ? '' : undefined}
    >
      {box}
      {/* One child, as a narrow cell is a label and a value. */}
      <div className="min-w-0">{children}</div>
    </td>
  );
}
