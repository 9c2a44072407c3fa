import { useState, type ReactNode } from 'react';
import { pieColour } from './pie-colour.ts';
import { pieSlices } from './pie-geometry.ts';
import { PieLegend } from './PieLegend.tsx';

export interface PieDatum {
  key: string;
  label: string;
  value: number;
}

/** What a link around a slice or a legend entry has to carry. */
export interface PieLinkProps {
  children: ReactNode;
  className?: string;
  /** The slice stays out of the Tab order: its legend entry is the same link. */
  tabIndex?: -1;
}

export interface PieChartProps {
  /** What is counted: the caption of the table. */
  label: string;
  /** The heading of the first column: 'Status'. */
  keyLabel: string;
  data: readonly PieDatum[];
  renderLink?: ((datum: PieDatum, props: PieLinkProps) => ReactNode) | undefined;
  emptyText?: string | undefined;
}

/** A pie with its legend, which is a real table: what the eye compares, a screen reader reads. */
export function PieChart({
  label,
  keyLabel,
  data,
  renderLink,
  emptyText = 'No data available',
}: PieChartProps) {
  const [active, setActive] = useState<string>();
  const { total, slices } = pieSlices(data.map((datum) => datum.value));
  if (total === 0) {
    return (
      <p className="flex min-h-44 items-center justify-center text-base text-muted">{emptyText}</p>
    );
  }
  return (
    <div className="flex flex-wrap items-center gap-x-10 gap-y-6">
      <svg aria-hidden="true" viewBox="-1.02 -1.02 2.04 2.04" className="mx-auto size-44 shrink-0">
        {data.map((datum, index) => {
          const path = slices[index]?.path ?? '';
          if (path === '') return null;
          const shape = (
            <path
              d={path}
              fill={pieColour(index)}
              opacity={active === undefined || active === datum.key ? 1 : 0.35}
              // A gap in the colour of the card tells neighbours apart without their colours.
              className="stroke-surface transition-opacity [stroke-width:2px] [vector-effect:non-scaling-stroke]"
              onPointerEnter={() => setActive(datum.key)}
              onPointerLeave={() => setActive(undefined)}
            />
          );
          return (
            <g key={datum.key}>{renderLink?.(datum, { children: shape, tabIndex: -1 }) ?? shape}</g>
          );
        })}
      </svg>
      <PieLegend
        {...{ label, keyLabel, data, slices, renderLink, active }}
        onActiveChange={setActive}
      />
    </div>
  );
}
