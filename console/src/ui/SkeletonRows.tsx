import { Skeleton } from './Skeleton.tsx';
import { Td } from './Td.tsx';

export interface SkeletonColumn {
  /** As given to the Td of the real rows, so that stacked rows are as high. */
  label?: string | undefined;
  width: string;
  align?: 'start' | 'end' | undefined;
  wide?: boolean | undefined;
  corner?: boolean | undefined;
  roomy?: boolean | undefined;
}

/** Rows in the exact boxes of what comes. The table around them says that it is loading. */
export function SkeletonRows({ rows, columns }: { rows: number; columns: SkeletonColumn[] }) {
  return Array.from({ length: rows }, (_, row) => (
    // Rows have no identity of their own and never move.
    // oxlint-disable-next-line react/no-array-index-key
    <tr key={row} aria-hidden="true">
      {columns.map(({ label, width, align, wide, corner, roomy }, column) => (
        // oxlint-disable-next-line react/no-array-index-key
        <Td key={column} label={label} align={align} wide={wide} corner={corner} roomy={roomy}>
          <Skeleton width={width} />
        </Td>
      ))}
    </tr>
  ));
}
