import { CircleCheck, TriangleAlert, X } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { SafeText } from './SafeText.tsx';
import { cx } from './classes.ts';
import { dismissNewest, dismissToast, type Toast, toastElementId, toasts } from './toasts.ts';

/** Once per page, always present: screen readers only hear what appears in a region they know. */
export function ToastRegion() {
  const shown = toasts.use();
  const [isHeld, setHeld] = useState(false);

  // Wherever the focus is, and before what Escape closes is gone.
  useEffect(() => {
    document.addEventListener('keydown', dismissNewest, true);
    return () => document.removeEventListener('keydown', dismissNewest, true);
  }, []);

  return (
    // Nothing to operate here: the handlers only stop the clock while someone reads.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <section
      aria-label="Messages"
      aria-live="polite"
      data-print="hide"
      className="pointer-events-none fixed inset-x-4 bottom-4 z-60 flex flex-col items-end gap-2 sm:start-auto sm:w-96"
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      {shown.map((toast) => (
        <ToastItem key={toast.id} toast={toast} isHeld={isHeld} />
      ))}
    </section>
  );
}

/** @param isHeld under the pointer or the focus: its timer is paused */
function ToastItem({ toast, isHeld }: { toast: Toast; isHeld: boolean }) {
  const leftMs = useRef(toast.durationMs);

  useEffect(() => {
    if (isHeld || leftMs.current === Infinity) return undefined;
    const startedAt = performance.now();
    const timer = setTimeout(() => dismissToast(toast.id), leftMs.current);
    return () => {
      clearTimeout(timer);
      leftMs.current -= performance.now() - startedAt;
    };
  }, [isHeld, toast.id]);

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
