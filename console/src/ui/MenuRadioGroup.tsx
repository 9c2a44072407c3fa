import { Check } from 'lucide-react';
import { useId, type ReactNode } from 'react';
import { MENU_ITEM_CLASS } from './menu-context.ts';

export interface MenuRadioGroupProps<Value extends string> {
  label: string;
  value: Value;
  onValueChange: (value: Value) => void;
  options: readonly { value: Value; label: string; icon?: ReactNode }[];
}

/** One of a few, chosen inside a menu, which stays open so that the effect can be seen. */
export function MenuRadioGroup<Value extends string>({
  label,
  value,
  onValueChange,
  options,
}: MenuRadioGroupProps<Value>) {
  const labelId = useId();
  return (
    // A fieldset is for forms; in a menu the role is all there is.
    // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
    <div role="group" aria-labelledby={labelId}>
      <div id={labelId} className="px-2.5 pt-1.5 pb-1 text-xs font-medium text-muted">
        {label}
      </div>
      {options.map((option) => {
        const isOn = option.value === value;
        return (
          <button
            key={option.value}
            type="button"
            role="menuitemradio"
            tabIndex={-1}
            aria-checked={isOn}
            className={MENU_ITEM_CLASS}
            onClick={() => onValueChange(option.value)}
          >
            {option.icon !== undefined && (
              <span className="text-muted [&_svg]:size-4">{option.icon}</span>
            )}
            <span className="flex-1">{option.label}</span>
            {isOn && <Check aria-hidden="true" className="size-4 text-accent" />}
          </button>
        );
      })}
    </div>
  );
}
