import { type ReactNode, useState } from 'react';
import { MARK_CLASS, type Tone } from './Badge.tsx';
import { cx } from './classes.ts';
import { countText, formatPercent, NOTHING } from './format.ts';

interface PieChartProps extends PieData {
  total?: number | undefined;
}

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

interface PieLegendProps extends PieData {
  slices: readonly Slice[];
  tones: readonly Tone[];
  active: string | undefined;
  onActiveChange: (key: string | undefined) => void;
}

function PieLegend({ label, keyLabel, data, ...props }: PieLegendProps) {
  const { slices, tones, renderLink, active, onActiveChange } = props;
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

interface PieDatum {
  key: string;
  label: string;
  value: number | undefined;
  tone?: Tone | undefined;
}

interface PieLinkProps {
  children: ReactNode;
  className?: string;
  tabIndex?: -1;
}

interface PieData {
  label: string;
  keyLabel: string;
  data: readonly PieDatum[];
  renderLink?: ((datum: PieDatum, props: PieLinkProps) => ReactNode) | undefined;
}

interface Slice {
  share: number;
  path: string;
}

function point(share: number): string {
  const angle = share * 2 * Math.PI - Math.PI / 2;
  return `${round(Math.cos(angle))} ${round(Math.sin(angle))}`;
}

// Adding 0 turns -0 into 0.
const round = (value: number) => Math.round(value * 1e4) / 1e4 + 0;

function slicePath(from: number, to: number): string {
  if (to - from <= 0) return '';
  // An arc that ends where it starts is none: a whole circle takes two halves.
  if (to - from >= 1) return 'M0 -1A1 1 0 1 1 0 1A1 1 0 1 1 0 -1Z';
  const isLarge = to - from > 0.5 ? 1 : 0;
  return `M0 0L${point(from)}A1 1 0 ${isLarge} 1 ${point(to)}Z`;
}

/** A share of the circle: 3.5 px at the rim, of which the gaps to the neighbors leave 1.5 px. */
const DRAWN_MIN = 0.0065;

const sumOf = (all: readonly number[]) => all.reduce((sum, share) => sum + share, 0);

/** Shares as they are drawn: a thin slice can be seen, and the others give way to it. */
function drawnShares(shares: readonly number[]): readonly number[] {
  const raised = shares.map((share) => (share > 0 ? Math.max(share, DRAWN_MIN) : 0));
  const excess = sumOf(raised) - sumOf(shares);
  const room = sumOf(raised.map((share) => Math.max(share - DRAWN_MIN, 0)));
  if (excess > room) return shares;
  return raised.map((share) =>
    share > DRAWN_MIN ? share - ((share - DRAWN_MIN) / room) * excess : share,
  );
}

/** One slice per value, in order; the circle stays open where they are less than the given total. */
export function pieSlices(
  values: readonly number[],
  givenTotal?: number,
): { total: number; slices: Slice[] } {
  const clean = values.map((value) => (Number.isFinite(value) && value > 0 ? value : 0));
  const sum = sumOf(clean);
  const total = sum === 0 ? 0 : (givenTotal ?? sum);
  const circle = Math.max(total, sum);
  if (total === 0) return { total, slices: clean.map(() => ({ share: 0, path: '' })) };
  const drawn = drawnShares(clean.map((value) => value / circle));
  let before = 0;
  const slices = clean.map((value, index) => {
    const from = before;
    before += drawn[index] ?? 0;
    return { share: value / total, path: slicePath(from, before) };
  });
  return { total, slices };
}

const CYCLE: readonly Tone[] = ['blue', 'green', 'amber', 'violet', 'red', 'gray', 'orange'];

/** The color of each slice: its own, or the next of the seven that no slice of this pie has. */
export function pieTones(own: readonly (Tone | undefined)[]): Tone[] {
  const free = CYCLE.filter((tone) => !own.includes(tone));
  const round = free.length > 0 ? free : CYCLE;
  let next = 0;
  return own.map((tone) => {
    if (tone !== undefined) return tone;
    const taken = round[next % round.length] ?? 'gray';
    next += 1;
    return taken;
  });
}
