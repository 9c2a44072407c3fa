import { Check } from 'lucide-react';
import { useId, type ComponentProps, type ReactNode } from 'react';
import { cx } from './cx.ts';

export interface CheckboxProps extends Omit<
  ComponentProps<'input'>,
  'type' | 'onChange' | 'children' | 'size'
> {
  label: ReactNode;
  description?: ReactNode;
  onCheckedChange?: ((checked: boolean) => void) | undefined;
}

export function Checkbox({
  label,
  description,
  onCheckedChange,
  className,
  id,
  ...input
}: CheckboxProps) {
  const ownId = useId();
  const inputId = id ?? ownId;
  const descriptionId = `${inputId}-description`;
  return (
    <div className={cx('flex items-start gap-2.5 coarse:py-2', className)}>
      <span className="relative mt-0.5 inline-flex shrink-0">
        <input
          {...input}
          id={inputId}
          type="checkbox"
          aria-describedby={description === undefined ? undefined : descriptionId}
          onChange={(event) => onCheckedChange?.(event.target.checked)}
          className="peer size-[1.0625rem] cursor-pointer appearance-none rounded-[0.25rem] border border-border-control bg-surface transition-colors checked:border-accent-fill checked:bg-accent-fill disabled:cursor-default disabled:opacity-50 coarse:before:absolute coarse:before:-inset-3"
        />
        <Check
          aria-hidden="true"
          strokeWidth={3}
          className="pointer-events-none absolute inset-0 m-auto size-3 text-on-accent opacity-0 peer-checked:opacity-100"
        />
      </span>
      <div className="min-w-0">
        <label htmlFor={inputId} className="block text-base coarse:-my-2 coarse:py-2">
          {label}
        </label>
        {description !== undefined && (
          <p id={descriptionId} className="text-sm text-muted">
            {description}
          </p>
        )}
      </div>
    </div>
  );
}
