import { useDeferredValue, useState } from 'react';
import { createPortal } from 'react-dom';
import { Button } from '../../ui/Button.tsx';
import { formatNumber } from '../../ui/format-number.ts';
import { Menu } from '../../ui/Menu.tsx';
import { MenuItem } from '../../ui/MenuItem.tsx';
import type { BulkList } from '../list/bulk-list.ts';
import type { RowSelection } from '../list/use-row-selection.ts';
import { BULK_CHOICES, type BulkRequest, matching } from './bulk-actions.ts';
import { BulkDialog } from './BulkDialog.tsx';

export interface BulkBarProps {
  bulk: Pick<BulkList<never>, 'of' | 'filter'>;
  selection: Omit<RowSelection, 'labelOf'>;
  /** How many match in all, where that is known. */
  total: number | undefined;
  /** There are more than that. */
  isCapped?: boolean | undefined;
  /** In the plural: 'posts'. */
  noun: string;
}

/** What can be done to the selected rows: a bar over the foot of the window, which moves nothing. */
export function BulkBar({ bulk, selection, total, isCapped = false, noun }: BulkBarProps) {
  const [request, setRequest] = useState<BulkRequest>();
  const { ids, isAll } = selection;
  const rows = isAll ? matching(bulk.of, bulk.filter ?? {}) : { ids: [...ids] };
  const found = total ?? ids.size;
  const foundWords = `${formatNumber(found)}${isCapped ? '+' : ''}`;
  const words = isAll
    ? `All ${foundWords} ${noun} that match`
    : `${formatNumber(ids.size)} selected`;
  // Empty at first: screen readers pass over a live region that comes with its words.
  const spoken = useDeferredValue(words, '');
  const offersAll = bulk.filter !== undefined && !isAll && found > ids.size;
  return createPortal(
    <section
      aria-label="Selection"
      data-print="hide"
      className="fixed inset-x-0 bottom-0 z-20 border-t border-border bg-raised shadow-pop lg:left-60"
    >
      <div className="mx-auto flex max-w-[85rem] flex-wrap items-center gap-x-3 gap-y-2 px-4 py-2.5 sm:px-6 lg:px-10">
        <output className="text-base font-medium tabular-nums">{spoken}</output>
        <Button size="sm" variant="ghost" onClick={() => selection.selectPage(true)}>
          Select page
        </Button>
        <Button size="sm" variant="ghost" onClick={selection.clear}>
          Clear
        </Button>
        {offersAll && (
          <Button
            size="sm"
            variant="ghost"
            className="max-sm:-ms-2.5"
            onClick={selection.selectAll}
          >
            Select all {foundWords} that match
          </Button>
        )}
        <div className="ms-auto">
          <Menu
            side="top"
            align="end"
            trigger={
              <Button size="sm" variant="primary">
                Actions
              </Button>
            }
          >
            {BULK_CHOICES[bulk.of].map((choice) => (
              <MenuItem
                key={choice.label}
                danger={choice.danger}
                onSelect={() => setRequest({ ...choice, selection: rows })}
              >
                {choice.label}
              </MenuItem>
            ))}
          </Menu>
        </div>
      </div>
      {request !== undefined && (
        <BulkDialog
          request={request}
          onCancel={() => setRequest(undefined)}
          onStarted={() => {
            setRequest(undefined);
            selection.clear();
          }}
        />
      )}
    </section>,
    document.body,
  );
}
