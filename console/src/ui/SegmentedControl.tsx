import { useId, type ReactNode } from 'react';
import { cx } from './cx.ts';
import { GROOVE_CLASS, SEGMENT_CLASS, SEGMENT_ON_CLASS } from './segment-class.ts';

export interface SegmentedControlProps<Value extends string> {
  label: string;
  options: readonly { value: Value; label: ReactNode }[];
  value: Value | null;
  onValueChange: (value: Value) => void;
  labelHidden?: boolean | undefined;
  disabled?: boolean | undefined;
  className?: string | undefined;
}

/** A radio group in one line, for two to five short words. */
export function SegmentedControl<Value extends string>({
  label,
  options,
  value,
  onValueChange,
  labelHidden = false,
  disabled = false,
  className,
}: SegmentedControlProps<Value>) {
  const name = useId();
  return (
    <fieldset disabled={disabled} className={cx('min-w-0 disabled:opacity-50', className)}>
      <legend className={labelHidden ? 'sr-only' : 'mb-1.5 text-sm font-medium'}>{label}</legend>
      <div className={GROOVE_CLASS}>
        {options.map((option) => (
          <label
            key={option.value}
            className={cx(
              SEGMENT_CLASS,
              'cursor-pointer has-focus-visible:outline-2 has-focus-visible:outline-accent',
              option.value === value && SEGMENT_ON_CLASS,
            )}
          >
            <input
              type="radio"
              name={name}
              value={option.value}
              checked={option.value === value}
              onChange={() => onValueChange(option.value)}
              className="sr-only"
            />
            {option.label}
          </label>
        ))}
      </div>
    </fieldset>
  );
}
