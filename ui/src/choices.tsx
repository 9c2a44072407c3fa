import { Check, ChevronDown } from 'lucide-react';
import { type ComponentProps, type ReactNode, useId } from 'react';
import { Button, type ButtonProps } from './Button.tsx';
import { withoutHidden } from './SafeText.tsx';
import { cx, INPUT_CLASS, INPUT_HEIGHT } from './classes.ts';
import { Field, type FieldProps, splitField } from './fields.tsx';

export interface SelectOption<Value extends string> {
  value: Value;
  label: string;
  detail?: string | undefined;
  disabled?: boolean | undefined;
}

interface SelectProps<Value extends string>
  extends
    FieldProps,
    Omit<
      ComponentProps<'select'>,
      'children' | 'className' | 'id' | 'required' | 'value' | 'defaultValue' | 'multiple'
    > {
  options: readonly SelectOption<Value>[];
  /** Null while nothing is chosen: the placeholder shows, as for what is no longer on offer. */
  value: Value | null;
  onValueChange: (value: Value) => void;
  placeholder?: string | undefined;
}

/** A native select. Browsers that can style its list do (overlays.css), the others show their own. */
export function Select<Value extends string>(props: SelectProps<Value>) {
  const [field, { options, value, onValueChange, placeholder = 'Choose…', ...select }] =
    splitField(props);
  // A browser would show the first option instead, as if it had been chosen.
  const isOffered = options.some((option) => option.value === value);
  return (
    <Field {...field}>
      {(attributes) => (
        <div className="relative">
          <select
            {...select}
            {...attributes}
            value={isOffered ? (value ?? '') : ''}
            onChange={(event) => {
              const chosen = options.find((option) => option.value === event.target.value);
              if (chosen !== undefined) onValueChange(chosen.value);
            }}
            className={cx(INPUT_CLASS, INPUT_HEIGHT, 'select pe-9', !isOffered && 'text-muted!')}
          >
            {!isOffered && (
              <option value="" disabled hidden>
                {placeholder}
              </option>
            )}
            {options.map((option) => (
              <option key={option.value} value={option.value} disabled={option.disabled}>
                {withoutHidden(
                  option.detail === undefined ? option.label : `${option.label} · ${option.detail}`,
                )}
              </option>
            ))}
          </select>
          <ChevronDown
            aria-hidden="true"
            className="pointer-events-none absolute end-3 top-1/2 size-4 -translate-y-1/2 text-muted"
          />
        </div>
      )}
    </Field>
  );
}

interface CheckboxProps {
  label: ReactNode;
  about?: string | undefined;
  checked: boolean;
  onCheckedChange: (checked: boolean) => void;
  className?: string | undefined;
}

export function Checkbox({ label, about, checked, onCheckedChange, className }: CheckboxProps) {
  const id = useId();
  return (
    <span className={cx('inline-flex items-center gap-2', className)}>
      <input
        id={id}
        type="checkbox"
        checked={checked}
        onChange={(event) => onCheckedChange(event.target.checked)}
        className="size-4 shrink-0 cursor-pointer"
      />
      <label htmlFor={id} className="text-sm coarse:py-2.5">
        {label}
        {about !== undefined && <span className="sr-only"> {about}</span>}
      </label>
    </span>
  );
}

interface SwitchProps extends Omit<
  ComponentProps<'input'>,
  'type' | 'role' | 'onChange' | 'children' | 'size'
> {
  label: ReactNode;
  description?: ReactNode;
  onCheckedChange?: ((checked: boolean) => void) | undefined;
  busy?: boolean | undefined;
}

/** On or off, at once. The words stand left, the switch right, the whole row can be pressed. */
export function Switch({ label, description, className, ...props }: SwitchProps) {
  const { onCheckedChange, busy = false, ...input } = props;
  const ownId = useId();
  const { id = ownId } = input;
  const descriptionId = `${id}-description`;
  return (
    <div className={cx('flex items-start justify-between gap-4 coarse:min-h-10', className)}>
      <div className="min-w-0">
        <label htmlFor={id} className="block text-base font-medium">
          {label}
        </label>
        {description !== undefined && (
          <p id={descriptionId} className="text-sm text-muted">
            {description}
          </p>
        )}
      </div>
      <span className="relative inline-flex shrink-0">
        <input
          {...input}
          id={id}
          type="checkbox"
          // A native checkbox tells its state by itself.
          // oxlint-disable-next-line jsx-a11y/role-has-required-aria-props
          role="switch"
          aria-describedby={description === undefined ? undefined : descriptionId}
          aria-busy={busy || undefined}
          aria-disabled={busy || undefined}
          onChange={(event) => {
            if (!busy) onCheckedChange?.(event.target.checked);
          }}
          className={cx(
            'peer h-[1.375rem] w-10 cursor-pointer appearance-none rounded-full border border-border-control bg-border-control transition-colors',
            'checked:border-accent-fill checked:bg-accent-fill disabled:cursor-default disabled:opacity-50 aria-busy:cursor-progress aria-busy:opacity-60',
            'coarse:before:absolute coarse:before:-inset-2.5',
          )}
        />
        <span
          aria-hidden="true"
          className="pointer-events-none absolute top-[0.1875rem] left-[0.1875rem] size-4 rounded-full bg-on-accent shadow-card transition-transform peer-checked:translate-x-[1.125rem]"
        />
      </span>
    </div>
  );
}

interface ChoiceButtonProps extends Omit<
  ButtonProps,
  'aria-pressed' | 'icon' | 'busy' | 'busyLabel'
> {
  chosen: boolean;
}

export function ChoiceButton({ chosen, disabled, className, ...rest }: ChoiceButtonProps) {
  return (
    <Button
      {...rest}
      disabled={chosen || disabled}
      aria-pressed={chosen}
      icon={chosen && <Check aria-hidden="true" className="size-4" />}
      // Not faded like a choice that is closed: it reads as taken. Important, as both are classes.
      className={cx(
        chosen && 'border-accent! bg-blue-tint! text-blue! shadow-none! disabled:opacity-100!',
        className,
      )}
    />
  );
}
