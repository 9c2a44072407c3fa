import { CircleCheck, TriangleAlert, X } from 'lucide-react';
import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { SafeText } from './SafeText.tsx';
import { cx } from './classes.ts';

export type ToastTone = 'green' | 'red';

export interface ToastInput {
  message: string;
  tone?: ToastTone;
  /** Long enough to be read: 5 s unless told otherwise. Infinity stays until it is dismissed. */
  durationMs?: number;
}

export interface Toast extends Required<ToastInput> {
  id: number;
}

const DEFAULT_MS = 5000;
/** More than this at once are not read; the oldest gives way. */
const MOST = 4;

let toasts: readonly Toast[] = [];
let lastId = 0;
const listeners = new Set<() => void>();

function set(next: readonly Toast[]) {
  toasts = next;
  for (const listener of listeners) listener();
}

export function showToast({
  message,
  tone = 'green',
  durationMs = DEFAULT_MS,
}: ToastInput): number {
  lastId += 1;
  set([...toasts, { id: lastId, message, tone, durationMs }].slice(-MOST));
  return lastId;
}

/** Where the message stands in the page, so that the focus can be moved there. */
export const toastElementId = (id: number) => `toast-${id}`;

function dismissToast(id: number): void {
  set(toasts.filter((toast) => toast.id !== id));
}

/** By Escape, unless that closes a dialog, a menu or a tooltip. */
function dismissNewest({ key }: KeyboardEvent): void {
  if (key !== 'Escape' || document.querySelector('dialog[open], :popover-open')) return;
  set(toasts.slice(0, -1));
}

export function clearToasts(): void {
  set([]);
}

function getToasts(): readonly Toast[] {
  return toasts;
}

function subscribeToasts(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

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

export interface ToastItemProps {
  toast: Toast;
  /** Under the pointer or the focus: its timer is paused. */
  held: boolean;
}

function ToastItem({ toast, held }: ToastItemProps) {
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
