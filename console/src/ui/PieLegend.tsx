import { cx } from './cx.ts';
import { countText, formatPercent } from './format-number.ts';
import { NOTHING } from './nothing.ts';
import type { PieData } from './pie-data.ts';
import type { Slice } from './pie-geometry.ts';
import { MARK_CLASS, type Tone } from './tone.ts';

interface PieLegendProps extends PieData {
  slices: readonly Slice[];
  tones: readonly Tone[];
  active: string | undefined;
  onActiveChange: (key: string | undefined) => void;
}

export function PieLegend({
  label,
  keyLabel,
  data,
  slices,
  tones,
  renderLink,
  active,
  onActiveChange,
}: PieLegendProps) {
  return (
    <table className="min-w-[min(100%,13rem)] flex-1 border-collapse text-base">
      <caption className="sr-only">{label}</caption>
      <thead className="sr-only">
        <tr>
          <th scope="col">{keyLabel}</th>
          <th scope="col">Count</th>
          <th scope="col">Percentage</th>
        </tr>
      </thead>
      <tbody>
        {data.map((datum, index) => (
          <tr
            key={datum.key}
            className={`border-b border-border transition-colors last:border-b-0 @max-3xs:flex @max-3xs:flex-wrap ${active === datum.key ? 'bg-hover' : ''}`}
            onPointerEnter={() => onActiveChange(datum.key)}
            onPointerLeave={() => onActiveChange(undefined)}
            onFocus={() => onActiveChange(datum.key)}
            onBlur={() => onActiveChange(undefined)}
          >
            <th scope="row" className="ps-1 text-start font-normal @max-3xs:w-full">
              <span className="flex min-h-8 items-center gap-2.5 coarse:min-h-10">
                <span
                  aria-hidden="true"
                  className={cx(
                    'color-mark size-2.5 shrink-0 rounded-[3px]',
                    MARK_CLASS[tones[index] ?? 'gray'],
                  )}
                />
                {renderLink?.(datum, {
                  children: datum.label,
                  className: 'rounded-sm py-1 hover:underline coarse:py-2.5',
                }) ?? datum.label}
              </span>
            </th>
            <td className="ps-3 text-end font-semibold tabular-nums">{countText(datum.value)}</td>
            <td className="w-[4.5rem] pe-1 text-end text-muted tabular-nums">
              {datum.value === undefined ? NOTHING : formatPercent(slices[index]?.share ?? 0)}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
