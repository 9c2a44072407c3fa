import type { ComponentProps, MouseEvent, ReactNode } from 'react';
import { buttonClass, type ButtonLook, cx } from './classes.ts';

export interface ButtonProps extends ButtonLook, ComponentProps<'button'> {
  /** Keeps its width and its focus, and ignores every further click. */
  busy?: boolean | undefined;
  /** The progress word ('Saving...'). Its room is kept beforehand, so that nothing moves. */
  busyLabel?: string | undefined;
  icon?: ReactNode;
}

export function Button({ variant, size, wide, square, className, ...props }: ButtonProps) {
  const { busy = false, busyLabel, icon, children, onClick, type = 'button', ...rest } = props;
  // Not `disabled`: that would drop the focus, and the screen reader's place with it.
  function handleClick(event: MouseEvent<HTMLButtonElement>) {
    // Work that is done before the second click of a double click would be done again, or undone.
    const isRepeated = busyLabel !== undefined && event.detail > 1;
    if (busy || isRepeated) event.preventDefault();
    else onClick?.(event);
  }
  const label = (
    <>
      {icon}
      {children}
    </>
  );
  return (
    <button
      {...rest}
      type={type}
      className={buttonClass({ variant, size, wide, square }, className)}
      aria-busy={busy || undefined}
      aria-disabled={busy || rest['aria-disabled']}
      onClick={handleClick}
    >
      {busyLabel === undefined ? (
        <>
          <span className={busy ? 'inline-flex items-center gap-1.5 opacity-0' : 'contents'}>
            {label}
          </span>
          {busy && <Spinner className="absolute" />}
        </>
      ) : (
        <span className="inline-grid min-w-0 items-center justify-items-center">
          <span
            className={`${busy ? 'invisible' : ''} inline-flex min-w-0 items-center gap-1.5 [grid-area:1/1]`}
          >
            {label}
          </span>
          <span className={`${busy ? '' : 'invisible'} min-w-0 [grid-area:1/1]`}>{busyLabel}</span>
        </span>
      )}
    </button>
  );
}

export function Spinner({ className }: { className?: string | undefined }) {
  return (
    <svg
      aria-hidden="true"
      viewBox="0 0 16 16"
      fill="none"
      stroke="currentColor"
      strokeWidth="2"
      strokeLinecap="round"
      className={cx('size-4 shrink-0 animate-spin', className)}
    >
      <circle cx="8" cy="8" r="6.5" opacity="0.25" />
      <path d="M8 1.5A6.5 6.5 0 0 1 14.5 8" />
    </svg>
  );
}
