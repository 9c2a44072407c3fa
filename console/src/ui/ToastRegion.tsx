import { useEffect, useState, useSyncExternalStore } from 'react';
import { dismissNewest, getToasts, subscribeToasts } from './toast-store.ts';
import { ToastItem } from './ToastItem.tsx';

/** Once per page, always present: screen readers only hear what appears in a region they know. */
export function ToastRegion() {
  const toasts = useSyncExternalStore(subscribeToasts, getToasts);
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
      {toasts.map((toast) => (
        <ToastItem key={toast.id} toast={toast} held={isHeld} />
      ))}
    </section>
  );
}
