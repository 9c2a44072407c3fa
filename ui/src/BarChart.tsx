import { type KeyboardEvent, type ReactNode, useState } from 'react';
import { cx } from './classes.ts';

interface BarDatum {
  key: string;
  value: number;
}

interface BarLinkProps {
  children: ReactNode;
  className: string;
  'aria-label': string;
  tabIndex: 0 | -1;
  onFocus: () => void;
}

interface BarChartProps<Bar extends BarDatum> {
  /** Names the bars for screen readers, which pass over bars that lead nowhere. */
  label?: string | undefined;
  bars: readonly Bar[];
  describe: (bar: Bar) => string;
  renderLink?: ((bar: Bar, props: BarLinkProps) => ReactNode) | undefined;
  className?: string | undefined;
}

/** Bars side by side, the highest marked. One Tab stop: the arrow keys go from bar to bar. */
export function BarChart<Bar extends BarDatum>(props: BarChartProps<Bar>) {
  const { label, bars, describe, renderLink, className } = props;
  const [current, setCurrent] = useState<string>();
  const [isDismissed, setDismissed] = useState(false);
  const peak = peakOf(bars);
  const stop = bars.find(({ key, value }) => key === current && value > 0) ?? peak;
  const columns = Math.max(1, bars.length);
  const left = stop === undefined ? 0 : bars.indexOf(stop) / columns;
  return (
    <div className={cx('group/chart relative border-b border-border-strong', className)}>
      {/* The keys move the focus between the links inside. */}
      {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions */}
      <svg
        aria-hidden={renderLink === undefined}
        role={renderLink && 'group'}
        aria-label={renderLink && label}
        viewBox={`0 0 ${columns} ${HEIGHT}`}
        preserveAspectRatio="none"
        className="block size-full overflow-visible"
        onKeyDown={(event) => {
          if (event.key === 'Escape') setDismissed(true);
          else moveFocus(event);
        }}
      >
        {bars.map((bar, index) => {
          if (bar.value === 0 || peak === undefined) return null;
          const shape = (
            <BarShape
              words={describe(bar)}
              index={index}
              share={bar.value / peak.value}
              isPeak={bar === peak}
            />
          );
          const link = {
            children: shape,
            className: 'group outline-none',
            'aria-label': describe(bar),
            tabIndex: bar === stop ? (0 as const) : (-1 as const),
            onFocus: () => {
              setCurrent(bar.key);
              setDismissed(false);
            },
          };
          return <g key={bar.key}>{renderLink?.(bar, link) ?? shape}</g>;
        })}
      </svg>
      {/* The focus ring: drawn inside, it would be stretched like the bars. */}
      {stop && (
        <span
          data-focus-ring
          className="pointer-events-none absolute inset-y-0 hidden rounded-[1px] outline-2 outline-offset-2 outline-accent group-has-focus-visible/chart:block"
          style={{ left: `${100 * left}%`, width: `${100 / columns}%` }}
        >
          {/* The words of the title, for the keyboard. No tooltip: an open one holds updates back. */}
          {!isDismissed && (
            <span
              aria-hidden="true"
              className={cx(
                'absolute bottom-full mb-1.5 rounded border border-border bg-raised px-2 py-1 text-xs whitespace-nowrap text-text shadow-pop',
                left < 0.5 ? '-left-1' : '-right-1',
              )}
            >
              {describe(stop)}
            </span>
          )}
        </span>
      )}
    </div>
  );
}

interface BarShapeProps {
  words: string;
  index: number;
  share: number;
  isPeak: boolean;
}

function BarShape({ words, index, share, isPeak }: BarShapeProps) {
  const height = Math.max(LEAST, share * HEIGHT);
  return (
    <>
      <title>{words}</title>
      {/* The whole column can be pressed, however low the bar is. */}
      <rect
        x={index}
        width={1}
        height={HEIGHT}
        className="fill-transparent group-hover:fill-accent/15 group-focus-visible:fill-accent/25"
      />
      <rect
        x={index + 0.1}
        y={HEIGHT - height}
        width={0.8}
        height={height}
        className={cx(
          'group-hover:fill-accent group-focus-visible:fill-accent',
          isPeak
            ? 'fill-accent forced-colors:fill-[Highlight]'
            : 'fill-blue-mark/85 forced-colors:fill-[CanvasText]',
        )}
      />
    </>
  );
}

const HEIGHT = 100;
/** The least height of a bar beside much higher ones. */
const LEAST = 2;

export function peakOf<Bar extends { value: number }>(bars: readonly Bar[]): Bar | undefined {
  const most = Math.max(0, ...bars.map(({ value }) => value));
  return most === 0 ? undefined : bars.find(({ value }) => value === most);
}

function moveFocus(event: KeyboardEvent<SVGSVGElement>) {
  const links = [...event.currentTarget.querySelectorAll('a')];
  const at = links.findIndex((link) => link === document.activeElement);
  const steps = new Map([
    ['ArrowLeft', at - 1],
    ['ArrowRight', at + 1],
    ['Home', 0],
    ['End', links.length - 1],
  ]);
  const target = steps.get(event.key);
  if (at === -1 || target === undefined) return;
  event.preventDefault();
  links[target]?.focus();
}
