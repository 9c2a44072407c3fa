import { useId, type ComponentProps, type ReactNode } from 'react';
import { cx } from './cx.ts';

export interface SwitchProps extends Omit<
  ComponentProps<'input'>,
  'type' | 'role' | 'onChange' | 'children' | 'size'
> {
  label: ReactNode;
  description?: ReactNode;
  onCheckedChange?: ((checked: boolean) => void) | undefined;
  /** Waiting for a response: keeps its place and ignores further clicks. */
  busy?: boolean | undefined;
}

/** On or off, at once. The words stand left, the switch right, the whole row can be pressed. */
export function Switch({
  label,
  description,
  onCheckedChange,
  busy = false,
  className,
  id,
  ...input
}: SwitchProps) {
  const ownId = useId();
  const inputId = id ?? ownId;
  const descriptionId = `${inputId}-description`;
  return (
    <div className={cx('flex items-start justify-between gap-4 coarse:min-h-10', className)}>
      <div className="min-w-0">
        <label htmlFor={inputId} className="block text-base font-medium">
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
          id={inputId}
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
            // A larger target for fingers, without a larger switch.
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
