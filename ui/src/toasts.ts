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

export function dismissToast(id: number): void {
  set(toasts.filter((toast) => toast.id !== id));
}

/** By Escape, unless that closes a dialog, a menu or a tooltip. */
export function dismissNewest({ key }: KeyboardEvent): void {
  if (key !== 'Escape' || document.querySelector('dialog[open], :popover-open')) return;
  set(toasts.slice(0, -1));
}

export function clearToasts(): void {
  set([]);
}

export function getToasts(): readonly Toast[] {
  return toasts;
}

export function subscribeToasts(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
