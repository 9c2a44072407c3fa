import { useId, type ReactNode } from 'react';
import { cx } from './cx.ts';

export interface CheckboxProps {
  label: ReactNode;
  /** What it is about, for screen readers, where the place alone tells it. */
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
