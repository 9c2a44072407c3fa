import { type ReactNode, useCallback, useState } from 'react';
import { useIsMeridian } from '../api/session.ts';

interface Selected {
  /** Filters and sort of the list: another view begins with nothing selected. */
  view: string;
  ids: ReadonlySet<string>;
  /** Everything that matches the filters, on all pages. */
  isAll: boolean;
  anchor: string | null;
}

export interface RowSelection<Row = unknown> {
  ids: ReadonlySet<string>;
  isAll: boolean;
  /** Shift extends from the row pressed before to this one. */
  onSelect: (key: string, isOn: boolean, isRange: boolean) => void;
  selectPage: (isOn: boolean) => void;
  selectAll: () => void;
  clear: () => void;
  labelOf: (row: Row) => string;
}

/** The selected rows of a list. They stay so from page to page, until the filters change. */
function useRowSelection<Row>(
  view: string,
  keys: readonly string[],
  labelOf: (row: Row) => string,
): RowSelection<Row> {
  const [state, setState] = useState<Selected>(() => nothing(view));
  const selected = state.view === view ? state : nothing(view);
  // As text: the same keys again must not draw every row again.
  const keysText = keys.join(' ');

  const change = useCallback(
    (next: (was: Selected, page: readonly string[]) => Partial<Selected>) =>
      setState((last) => {
        const was = last.view === view ? last : nothing(view);
        return { ...was, ...next(was, keysText.split(' ')) };
      }),
    [view, keysText],
  );
  const onSelect = useCallback<RowSelection['onSelect']>(
    (key, isOn, isRange) =>
      change((was, page) => {
        const pressed = isRange ? rangeOf(page, was.anchor, key) : [key];
        // Of all that match only those of this page are known by name.
        const ids = withKeys(was.isAll ? new Set(page) : was.ids, pressed, isOn);
        return { ids, isAll: false, anchor: key };
      }),
    [change],
  );
  return {
    ids: selected.ids,
    isAll: selected.isAll,
    onSelect,
    selectPage: (isOn) =>
      change((was, page) => ({ ids: withKeys(was.ids, page, isOn), isAll: false })),
    selectAll: () => change((was, page) => ({ ids: withKeys(was.ids, page, true), isAll: true })),
    clear: () => setState(nothing(view)),
    labelOf,
  };
}

function nothing(view: string): Selected {
  return { view, ids: new Set(), isAll: false, anchor: null };
}

function withKeys(ids: ReadonlySet<string>, keys: readonly string[], isOn: boolean): Set<string> {
  const next = new Set(ids);
  for (const key of keys) {
    if (isOn) next.add(key);
    else next.delete(key);
  }
  return next;
}

/** The rows between two, both included; the second alone when the first is on another page. */
function rangeOf(page: readonly string[], from: string | null, to: string): string[] {
  const ends = [page.indexOf(from ?? to), page.indexOf(to)].toSorted((a, b) => a - b);
  const [first = -1, last = -1] = ends;
  return first === -1 ? [to] : page.slice(first, last + 1);
}

export function useBulkSelection<Row>(
  bulk: Pick<BulkList<Row>, 'labelOf'> | undefined,
  view: string,
  keys: readonly string[],
): RowSelection<Row> | undefined {
  const isOffered = useIsMeridian();
  const selection = useRowSelection(view, keys, bulk?.labelOf ?? noLabel);
  return isOffered && bulk !== undefined ? selection : undefined;
}

const noLabel = () => '';

export interface SelectionBarProps {
  selection: Omit<RowSelection, 'labelOf'>;
  /** The number of rows that match; of more than that where it is capped. */
  total: number | undefined;
  isCapped?: boolean | undefined;
  noun: string;
}

export interface BulkList<Row> {
  labelOf: (row: Row) => string;
  renderBar: (props: SelectionBarProps) => ReactNode;
}

export function filterOf(values: Readonly<Record<string, string>>): Record<string, string> {
  const { sort: _sort, order: _order, ...filters } = values;
  return Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== ''));
}
