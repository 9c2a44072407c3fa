import { useId, type ReactNode } from 'react';
import { cx } from './cx.ts';

export interface RadioOption<Value extends string> {
  value: Value;
  label: ReactNode;
  description?: ReactNode;
  disabled?: boolean;
}

export interface RadioGroupProps<Value extends string> {
  label: ReactNode;
  options: readonly RadioOption<Value>[];
  value: Value | null;
  onValueChange: (value: Value) => void;
  hint?: ReactNode;
  className?: string | undefined;
}

/** Native radios: arrows move and choose, Tab leaves. */
export function RadioGroup<Value extends string>({
  label,
  options,
  value,
  onValueChange,
  hint,
  className,
}: RadioGroupProps<Value>) {
  const name = useId();
  return (
    <fieldset className={cx('min-w-0', className)}>
      <legend className="mb-1.5 text-sm font-medium">{label}</legend>
      <div className="flex flex-col gap-2">
        {options.map((option) => (
          <label key={option.value} className="flex items-start gap-2.5 text-base coarse:py-2.5">
            <input
              type="radio"
              name={name}
              value={option.value}
              checked={option.value === value}
              disabled={option.disabled ?? false}
              onChange={() => onValueChange(option.value)}
              className="mt-0.5 size-[1.0625rem] shrink-0 cursor-pointer appearance-none rounded-full border border-border-control bg-surface transition-colors checked:border-[0.3125rem] checked:border-accent-fill checked:bg-on-accent disabled:cursor-default disabled:opacity-50"
            />
            <span className="min-w-0">
              {option.label}
              {option.description !== undefined && (
                <span className="block text-sm text-muted">{option.description}</span>
              )}
            </span>
          </label>
        ))}
      </div>
      {hint !== undefined && <p className="mt-1.5 text-sm text-muted">{hint}</p>}
    </fieldset>
  );
}
