import { useState } from 'react';
import { cx } from './cx.ts';
import type { PieData } from './pie-data.ts';
import { pieSlices } from './pie-geometry.ts';
import { PieLegend } from './PieLegend.tsx';
import { pieTones } from './pie-tones.ts';
import { MARK_CLASS } from './tone.ts';

interface PieChartProps extends PieData {
  /** What the percentages are of; the sum of the data unless given. */
  total?: number | undefined;
}

/** A pie with its legend, which is a real table: what the eye compares, a screen reader reads. */
export function PieChart({ label, keyLabel, data, total: givenTotal, renderLink }: PieChartProps) {
  const [active, setActive] = useState<string>();
  const { total, slices } = pieSlices(
    data.map((datum) => datum.value ?? 0),
    givenTotal,
  );
  const tones = pieTones(data.map((datum) => datum.tone));
  if (total === 0) {
    return (
      <p className="flex min-h-44 items-center justify-center text-base text-muted">
        No data available
      </p>
    );
  }
  return (
    <div className="flex flex-wrap items-center gap-x-10 gap-y-6">
      <svg
        aria-hidden="true"
        viewBox="-1.02 -1.02 2.04 2.04"
        className="mx-auto aspect-square w-44 max-w-full shrink-0"
      >
        {/* What the slices leave open, where they are not all of the total. */}
        <circle
          r="1"
          className="fill-sunken forced-colors:fill-[Canvas] forced-colors:stroke-[CanvasText] [stroke-width:1px] [vector-effect:non-scaling-stroke]"
        />
        {data.map((datum, index) => {
          const path = slices[index]?.path ?? '';
          if (path === '') return null;
          const shape = (
            <path
              d={path}
              opacity={active === undefined || active === datum.key ? 1 : 0.35}
              // A gap in the color of the card tells neighbors apart without their colors.
              className={cx(
                'stroke-surface forced-colors:stroke-[Canvas] transition-opacity [stroke-width:2px] [vector-effect:non-scaling-stroke]',
                MARK_CLASS[tones[index] ?? 'gray'],
              )}
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
        {...{ label, keyLabel, data, slices, tones, renderLink, active }}
        onActiveChange={setActive}
      />
    </div>
  );
}
