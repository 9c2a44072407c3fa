import type { ReactNode } from 'react';
import { cx } from './cx.ts';
import { formatNumber } from './format-number.ts';
import { GROOVE_CLASS, SEGMENT_CLASS, SEGMENT_ON_CLASS } from './segment-class.ts';

export interface FilterTab<Value extends string> {
  value: Value;
  label: string;
  count?: number | undefined;
}

/** What a link in place of a button has to carry. */
export interface FilterTabLinkProps {
  className: string;
  'aria-current': 'true' | undefined;
  children: ReactNode;
}

export interface FilterTabsProps<Value extends string> {
  /** What is being filtered, for screen readers. */
  label: string;
  tabs: readonly FilterTab<Value>[];
  value: Value;
  onValueChange?: ((value: Value) => void) | undefined;
  /** Makes links instead of buttons: the filter is a place with an address. */
  renderLink?: ((value: Value, props: FilterTabLinkProps) => ReactNode) | undefined;
  /** The counts are not known yet: the row keeps its room, so that nothing moves when they are. */
  loading?: boolean | undefined;
  className?: string | undefined;
}

/** 'All 6 | Active 5 | Inactive 1': filters of one list, hence a group of buttons or links. */
export function FilterTabs<Value extends string>({
  label,
  tabs,
  value,
  onValueChange,
  renderLink,
  loading = false,
  className,
}: FilterTabsProps<Value>) {
  return (
    <nav aria-label={label} className={className}>
      <ul className={cx(GROOVE_CLASS, loading && '*:invisible')}>
        {tabs.map((tab) => {
          const isOn = tab.value === value;
          const look = cx(SEGMENT_CLASS, isOn && SEGMENT_ON_CLASS);
          const content = (
            <>
              {tab.label}
              {tab.count !== undefined && (
                <span className="font-normal text-muted tabular-nums">
                  {' '}
                  {formatNumber(tab.count)}
                </span>
              )}
            </>
          );
          return (
            <li key={tab.value}>
              {renderLink === undefined ? (
                <button
                  type="button"
                  className={look}
                  aria-pressed={isOn}
                  onClick={() => onValueChange?.(tab.value)}
                >
                  {content}
                </button>
              ) : (
                renderLink(tab.value, {
                  className: look,
                  'aria-current': isOn ? 'true' : undefined,
                  children: content,
                })
              )}
            </li>
          );
        })}
      </ul>
    </nav>
  );
}
