import { CircleCheck, TriangleAlert, X } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { cx } from './cx.ts';
import { SafeText } from './SafeText.tsx';
import { dismissToast, type Toast, toastElementId } from './toast-store.ts';

export interface ToastItemProps {
  toast: Toast;
  /** Under the pointer or the focus: its timer is paused. */
  held: boolean;
}

export function ToastItem({ toast, held }: ToastItemProps) {
  const leftMs = useRef(toast.durationMs);

  // The timer: runs while it is not held, and keeps what was left when it is paused.
  useEffect(() => {
    if (held || leftMs.current === Infinity) return undefined;
    const startedAt = performance.now();
    const timer = setTimeout(() => dismissToast(toast.id), leftMs.current);
    return () => {
      clearTimeout(timer);
      leftMs.current -= performance.now() - startedAt;
    };
  }, [held, toast.id]);

  const isRed = toast.tone === 'red';
  const Icon = isRed ? TriangleAlert : CircleCheck;
  return (
    <div
      id={toastElementId(toast.id)}
      tabIndex={-1}
      className="pointer-events-auto flex w-full items-start gap-2.5 rounded border border-border bg-raised py-2.5 ps-3.5 pe-2 text-base shadow-pop transition-opacity starting:opacity-0 sm:w-auto"
    >
      <Icon
        aria-hidden="true"
        className={cx('mt-0.5 size-4 shrink-0', isRed ? 'text-red' : 'text-green')}
      />
      <p className="min-w-0 flex-1 font-medium wrap-anywhere">
        <SafeText as="span">{toast.message}</SafeText>
      </p>
      <button
        type="button"
        aria-label="Dismiss message"
        onClick={() => dismissToast(toast.id)}
        className="-my-1 flex size-control-sm shrink-0 items-center justify-center rounded-sm text-muted hover:bg-sunken hover:text-text"
      >
        <X aria-hidden="true" className="size-4" />
      </button>
    </div>
  );
}
