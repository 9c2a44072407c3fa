import { centerInRow, showFocusedInRow } from './center-in-row.ts';
import { cx } from './cx.ts';
import { formatNumber } from './format-number.ts';
import {
  GROOVE_CLASS,
  SCROLL_ROW_CLASS,
  SEGMENT_CLASS,
  SEGMENT_ON_CLASS,
} from './segment-class.ts';

export interface FilterTab<Value extends string> {
  value: Value;
  label: string;
  count?: number | undefined;
}

export interface FilterTabsProps<Value extends string> {
  /** What is being filtered, for screen readers. */
  label: string;
  tabs: readonly FilterTab<Value>[];
  value: Value;
  onValueChange: (value: Value) => void;
  /** The counts are not known yet: the row keeps its room, so that nothing moves when they are. */
  loading?: boolean | undefined;
  className?: string | undefined;
}

/** 'All 6 | Active 5 | Inactive 1': filters of one list, hence a group of buttons. */
export function FilterTabs<Value extends string>({
  label,
  tabs,
  value,
  onValueChange,
  loading = false,
  className,
}: FilterTabsProps<Value>) {
  return (
    <nav aria-label={label} className={cx('min-w-0 max-w-full', className)}>
      {/* While nothing in it can have the focus, the keyboard could not scroll it. */}
      <ul className={cx(GROOVE_CLASS, loading ? 'overflow-x-clip *:invisible' : SCROLL_ROW_CLASS)}>
        {tabs.map((tab) => {
          const isOn = tab.value === value;
          return (
            <li key={tab.value} className="shrink-0">
              <button
                // Not before the counts, which make the row longer.
                ref={isOn && !loading ? centerInRow : undefined}
                type="button"
                className={cx(SEGMENT_CLASS, isOn && SEGMENT_ON_CLASS)}
                aria-pressed={isOn}
                onFocus={showFocusedInRow}
                onClick={() => onValueChange(tab.value)}
              >
                {tab.label}
                {tab.count !== undefined && (
                  <span className="font-normal tabular-nums"> {formatNumber(tab.count)}</span>
                )}
              </button>
            </li>
          );
        })}
      </ul>
    </nav>
  );
}
