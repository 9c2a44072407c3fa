import type { MouseEvent } from 'react';

interface SelectBoxProps {
  label: string;
  checked: boolean;
  /** Some, but not all. */
  mixed?: boolean;
  onSelect: (isOn: boolean, isRange: boolean) => void;
}

/** A checkbox in the margin of a cell. The whole margin can be pressed. */
export function SelectBox({ label, checked, mixed = false, onSelect }: SelectBoxProps) {
  return (
    <label className="select-box">
      <input
        type="checkbox"
        aria-label={label}
        checked={checked}
        ref={(input) => {
          // Only a property can say it.
          if (input !== null) input.indeterminate = mixed;
        }}
        // A click, also by the space bar, says whether Shift is held; a change does not.
        onClick={(event: MouseEvent<HTMLInputElement>) =>
          onSelect(event.currentTarget.checked, event.shiftKey)
        }
        onChange={() => {}}
        className="size-4 cursor-pointer"
      />
    </label>
  );
}
