import { Search, SlidersHorizontal, X } from 'lucide-react';
import {
  type KeyboardEvent,
  type ReactNode,
  type SyntheticEvent,
  useEffect,
  useId,
  useReducer,
  useState,
} from 'react';
import { Button } from '../Button.tsx';
import { withoutHidden } from '../SafeText.tsx';
import { Select } from '../choices.tsx';
import { cx } from '../classes.ts';
import { TextField } from '../fields.tsx';

export interface FilterBarProps {
  children: ReactNode;
  /** How many rows they leave: a ListCount. */
  count?: ReactNode;
  actions?: ReactNode;
}

/** The filters over a list. The key `/` leads here. */
export function FilterBar({ children, count, actions }: FilterBarProps) {
  return (
    <div className="flex flex-wrap items-end gap-2.5 border-b border-border px-5 py-3.5">
      <search
        aria-label="Filters"
        data-filters=""
        data-print="hide"
        className={cx(
          'flex min-w-0 flex-wrap items-end gap-2.5',
          count === undefined ? 'flex-auto' : 'flex-1 @max-4xl:basis-full',
        )}
      >
        {children}
      </search>
      {/* Beside the first line of the filters, however many they are. */}
      <div
        className={cx(
          'flex flex-wrap items-center justify-between gap-2.5 @4xl:min-h-control @4xl:self-start',
          count === undefined ? 'ms-auto' : '@max-4xl:basis-full',
        )}
      >
        {count}
        {actions !== undefined && <div data-print="hide">{actions}</div>}
      </div>
    </div>
  );
}

export interface FilterChip {
  name: string;
  /** 'Cause: too late' */
  label: string;
  /** In place of the label, where it has to be looked up first. */
  shown?: ReactNode;
  onRemove: () => void;
}

/** The filters in force that no field of the bar shows, such as those that came by address. */
export function FilterChips({ chips }: { chips: readonly FilterChip[] }) {
  if (chips.length === 0) return null;
  return (
    <ul
      aria-label="Filters in force"
      data-print="hide"
      className="flex flex-wrap gap-2 border-b border-border px-5 py-2.5"
    >
      {chips.map(({ name, label, shown, onRemove }) => (
        <li
          key={name}
          className="flex h-control-sm max-w-full items-center rounded-full border border-border-strong bg-sunken ps-3 text-sm"
        >
          <span className="truncate">{shown ?? withoutHidden(label)}</span>
          <Button
            variant="ghost"
            size="sm"
            square
            className="rounded-full!"
            aria-label={`Remove filter ${withoutHidden(label)}`}
            onClick={onRemove}
          >
            <X aria-hidden="true" />
          </Button>
        </li>
      ))}
    </ul>
  );
}

export interface FilterSelectProps<Value extends string> {
  /** What it filters by, for screen readers unless it stands above: 'Status'. */
  label: string;
  labelShown?: boolean | undefined;
  /** The words for no filter: 'All Statuses'. */
  allLabel: string;
  options: readonly { value: Value; label: string }[];
  /** One that is not among the options came by address: the label stands in its place. */
  value: Value | '';
  onChange: (value: Value | '') => void;
}

/** An empty value would count as no choice at all. */
const ALL = 'ALL';

export function FilterSelect<Value extends string>({
  label,
  labelShown = false,
  allLabel,
  options,
  value,
  onChange,
}: FilterSelectProps<Value>) {
  return (
    <Select<Value | typeof ALL>
      label={label}
      labelHidden={!labelShown}
      className="w-44 @max-xl:w-full"
      options={[{ value: ALL, label: allLabel }, ...options]}
      placeholder={label}
      value={value === '' ? ALL : value}
      onValueChange={(next) => onChange(next === ALL ? '' : next)}
    />
  );
}

export interface FilterTextProps {
  /** Also what stands in the empty field, unless it stands above it. */
  label: string;
  labelShown?: boolean | undefined;
  /** What stands in the URL. */
  value: string;
  onChange: (value: string) => void;
  maxLength: number | undefined;
  disabled?: boolean | undefined;
}

/** Longer than the pause between two keys, shorter than patience. */
const PAUSE_MS = 250;

/** Free text that filters while one types, without ever taking a key or the focus away. */
export function FilterText(props: FilterTextProps) {
  const { label, labelShown = false, value, onChange, maxLength, disabled = false } = props;
  const { typed, setTyped, pushed, setPushed } = useTyped(value);

  function push() {
    const next = typed.trim();
    if (next === pushed) return;
    setPushed(next);
    onChange(next);
  }

  // Waiting for a pause in the typing is a timer's work.
  useEffect(() => {
    const timer = setTimeout(push, PAUSE_MS);
    return () => clearTimeout(timer);
    // Typing starts the wait anew, and what was pushed meanwhile ends it: coming late, the same
    // words again would undo a navigation to another page that is under way.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [typed, pushed]);

  function onKeyDown(event: KeyboardEvent) {
    if (event.key === 'Enter') push();
  }

  return (
    <TextField
      label={label}
      labelHidden={!labelShown}
      type="search"
      icon={<Search aria-hidden="true" />}
      className="w-80 @max-xl:w-full"
      placeholder={labelShown ? undefined : label}
      autoComplete="off"
      autoCapitalize="none"
      spellCheck={false}
      maxLength={maxLength}
      disabled={disabled}
      value={typed}
      onChange={(event) => setTyped(event.target.value)}
      onKeyDown={onKeyDown}
      // Focus elsewhere means that the typing is done: what was typed is not lost on the way.
      onBlur={push}
    />
  );
}

interface DayFieldProps {
  label: string;
  className: string;
  /** Whether the period begins with this day or ends with it. */
  side: 'start' | 'end';
  /** The instant that stands in the URL. */
  value: string;
  onChange: (instant: string) => void;
}

/** The first or last day of a period. It applies once it is whole: a year is typed digit by digit. */
export function DayField({ label, className, side, value, onChange }: DayFieldProps) {
  const day = dayOf(value, side);
  const [isWrong, setWrong] = useState(false);
  const { typed, setTyped, pushed, setPushed } = useTyped(day, () => setWrong(false));

  function read({ currentTarget, type }: SyntheticEvent<HTMLInputElement>) {
    const { value: next, validity } = currentTarget;
    setTyped(next);
    setWrong(type === 'blur' && !validity.valid);
    if (!validity.valid || next === pushed) return;
    setPushed(next);
    onChange(instantOf(next, side));
  }

  return (
    <TextField
      type="date"
      label={label}
      className={className}
      // The years that the server takes. With an end in sight the browser asks for four digits.
      min="2000-01-02"
      max="2099-12-30"
      error={isWrong ? 'A whole date, from 2000 to 2099' : undefined}
      value={typed}
      onInput={read}
      // Emptied part by part it has no other event.
      onKeyUp={read}
      onBlur={read}
    />
  );
}

const DAY = /^\d{4}-\d\d-\d\d$/;

/** The local midnight at which a day begins, or the one at which it ends; empty for no day. */
export function instantOf(day: string, side: 'start' | 'end'): string {
  if (!DAY.test(day)) return '';
  // From noon on: where the clock is set forward at midnight, that day begins at one, but not the next.
  const date = new Date(`${day}T12:00`);
  if (side === 'end') date.setDate(date.getDate() + 1);
  date.setHours(0);
  return Number.isNaN(date.getTime()) ? '' : date.toISOString();
}

/** The day of the browser's zone that such an instant stands for; empty for anything else. */
export function dayOf(instant: string, side: 'start' | 'end'): string {
  const date = new Date(instant);
  if (instant === '' || Number.isNaN(date.getTime())) return '';
  // The end of a period is not part of it.
  if (side === 'end') date.setMilliseconds(date.getMilliseconds() - 1);
  const parts = [date.getFullYear(), date.getMonth() + 1, date.getDate()];
  return parts.map((part, index) => String(part).padStart(index === 0 ? 4 : 2, '0')).join('-');
}

/**
 * What is typed into a filter, and what of it was last put into the URL, whose value this is. A value
 * that comes from elsewhere (Back, 'Clear filters') takes the place of both.
 */
function useTyped(value: string, onReplaced?: () => void) {
  const [typed, setTyped] = useState(value);
  const [pushed, setPushed] = useState(value);
  const [moves, countMove] = useReducer((count: number) => count + 1, 0);
  const [seen, setSeen] = useState({ value, moves });

  // Back may come before the list of what was pushed is there: its value is then never seen here.
  useEffect(() => {
    window.addEventListener('popstate', countMove);
    return () => window.removeEventListener('popstate', countMove);
  }, []);

  if (value !== seen.value || moves !== seen.moves) {
    setSeen({ value, moves });
    if (value !== pushed || moves !== seen.moves) {
      setPushed(value);
      setTyped(value);
      onReplaced?.();
    }
  }
  return { typed, setTyped, pushed, setPushed };
}

/** A button in the filter bar, and the further filters that it opens below the others. */
export function MoreFilters({ children }: { children: ReactNode }) {
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  return (
    <>
      <Button
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        icon={<SlidersHorizontal aria-hidden="true" className="size-4" />}
        onClick={() => setOpen(!isOpen)}
      >
        More filters
      </Button>
      {isOpen && (
        <div id={id} className="w-full">
          {children}
        </div>
      )}
    </>
  );
}
