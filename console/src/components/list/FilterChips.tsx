import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from '../../ui/Button.tsx';
import { withoutHidden } from '../../ui/hidden-characters.ts';

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
