import { CircleAlert } from 'lucide-react';
import { type FocusEvent, type KeyboardEvent, type ReactNode, useId, useRef } from 'react';
import { cx, GROOVE_CLASS, SCROLL_ROW_CLASS, SEGMENT_CLASS, SEGMENT_ON_CLASS } from './classes.ts';
import { formatNumber } from './format.ts';

export interface FilterTab<Value extends string> {
  value: Value;
  label: string;
  count?: number | undefined;
}

interface FilterTabsProps<Value extends string> {
  label: string;
  tabs: readonly FilterTab<Value>[];
  value: Value;
  onValueChange: (value: Value) => void;
  /** The counts are not known yet: the row keeps its room, so that nothing moves when they are. */
  loading?: boolean | undefined;
  className?: string | undefined;
}

/** 'All 6 | Active 5 | Inactive 1': filters of one list, hence a group of buttons. */
export function FilterTabs<Value extends string>(props: FilterTabsProps<Value>) {
  const { label, tabs, value, onValueChange, loading = false, className } = props;
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

interface PanelTab<Value extends string> {
  value: Value;
  label: string;
  /** Shown as a dot: there is something in this panel. */
  marked?: boolean | undefined;
  /** Shown in red: something in this panel needs attention. */
  invalid?: boolean | undefined;
}

interface PanelTabsProps<Value extends string> {
  label: string;
  tabs: readonly PanelTab<Value>[];
  value: Value;
  onValueChange: (value: Value) => void;
  children: ReactNode;
}

/** Tabs over one panel. Arrows, Home and End move and choose; Tab goes on into the panel. */
export function PanelTabs<Value extends string>(props: PanelTabsProps<Value>) {
  const { label, tabs, value, onValueChange, children } = props;
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const current = tabs.findIndex((tab) => tab.value === value);

  function handleKeyDown(event: KeyboardEvent) {
    const targets = new Map([
      ['ArrowRight', (current + 1) % tabs.length],
      ['ArrowLeft', (current - 1 + tabs.length) % tabs.length],
      ['Home', 0],
      ['End', tabs.length - 1],
    ]);
    const target = targets.get(event.key) ?? -1;
    const tab = tabs[target];
    if (tab === undefined) return;
    event.preventDefault();
    onValueChange(tab.value);
    list.current?.querySelectorAll<HTMLElement>('[role=tab]')[target]?.focus();
  }

  return (
    <div>
      <div
        ref={list}
        role="tablist"
        aria-label={label}
        tabIndex={-1}
        onKeyDown={handleKeyDown}
        className={cx('flex gap-x-1 shadow-[inset_0_-1px_0_var(--border)]', SCROLL_ROW_CLASS)}
      >
        {tabs.map((tab) => {
          const isOn = tab.value === value;
          return (
            <button
              key={tab.value}
              ref={isOn ? centerInRow : undefined}
              type="button"
              role="tab"
              id={`${id}-${tab.value}`}
              aria-selected={isOn}
              aria-controls={isOn ? `${id}-panel` : undefined}
              tabIndex={isOn ? 0 : -1}
              onClick={() => onValueChange(tab.value)}
              className={cx(
                'flex h-control min-w-10 shrink-0 items-center justify-center gap-1.5 border-b-2 px-2.5 text-sm font-medium transition-colors',
                isOn ? 'border-accent' : 'border-transparent',
                tab.invalid === true && 'text-danger',
                tab.invalid !== true && (isOn ? 'text-text' : 'text-muted hover:text-text'),
              )}
            >
              {tab.label}
              {tab.marked === true && (
                <>
                  <span
                    aria-hidden="true"
                    className="color-mark size-1.5 rounded-full bg-current forced-colors:bg-[ButtonText]"
                  />
                  <span className="sr-only">, has text</span>
                </>
              )}
              {tab.invalid === true && (
                <>
                  <CircleAlert aria-hidden="true" className="size-3.5" />
                  <span className="sr-only">, has an error</span>
                </>
              )}
            </button>
          );
        })}
      </div>
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${value}`} className="pt-4">
        {children}
      </div>
    </div>
  );
}

/** Brings the chosen button of a row that scrolls sideways, its offset parent, into sight. */
function centerInRow(chosen: HTMLElement | null): void {
  const row = chosen?.offsetParent;
  if (chosen === null || !row) return;
  row.scrollLeft = chosen.offsetLeft - (row.clientWidth - chosen.offsetWidth) / 2;
}

/**
 * Chromium leaves a part of a button that the keyboard focuses beyond the edge. Not for the pointer,
 * under which a row that scrolls between press and release loses the click.
 */
function showFocusedInRow({ currentTarget }: FocusEvent<HTMLElement>): void {
  if (currentTarget.matches(':focus-visible')) centerInRow(currentTarget);
}
