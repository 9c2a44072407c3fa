import { createStore } from './hooks.ts';

export interface Toast {
  id: number;
  message: string;
  tone: 'green' | 'red';
  durationMs: number;
}

const DEFAULT_MS = 5000;
/** More than this at once are not read; the oldest gives way. */
const MOST = 4;

export const toasts = /* @__PURE__ */ createStore<readonly Toast[]>([]);
let lastId = 0;

/** @param toast stays for 5 s unless told otherwise; Infinity until it is dismissed */
export function showToast(toast: Partial<Toast> & Pick<Toast, 'message'>): number {
  lastId += 1;
  const shown = { tone: 'green', durationMs: DEFAULT_MS, ...toast, id: lastId } as const;
  toasts.set([...toasts.get(), shown].slice(-MOST));
  return lastId;
}

export const toastElementId = (id: number) => `toast-${id}`;

export const dismissToast = (id: number) =>
  toasts.set(toasts.get().filter((toast) => toast.id !== id));

/** By Escape, unless that closes a dialog, a menu or a tooltip. */
export function dismissNewest({ key }: KeyboardEvent): void {
  if (key !== 'Escape' || document.querySelector('dialog[open], :popover-open')) return;
  toasts.set(toasts.get().slice(0, -1));
}

export const clearToasts = () => toasts.set([]);
