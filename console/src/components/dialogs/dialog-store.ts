import type { ReactNode } from 'react';
import { messageOf } from '../../api/api-error.ts';
import { onSessionEnd } from '../../auth/session.ts';

export interface ConfirmRequest {
  title: string;
  /** Says what will happen, and to whom. */
  body: ReactNode;
  /** Red: it cannot be undone, or it shuts users out. */
  danger?: boolean | undefined;
  confirmLabel?: string | undefined;
  /** Shown on the button while it runs: 'Revoking...'. */
  busyLabel?: string | undefined;
  run: () => Promise<unknown>;
  /** What the dialog says when it fails and the server does not say why, or how to say it. */
  failed: string | ((error: unknown) => string);
}

export interface InfoRequest {
  title: string;
  body: ReactNode;
}

export interface DialogState {
  isOpen: boolean;
  confirm?: ConfirmRequest;
  info?: InfoRequest;
  isBusy?: boolean;
  /** What went wrong, and in which words. */
  failure?: { error: unknown; message: string };
}

let state: DialogState = { isOpen: false };
let settle: (isConfirmed: boolean) => void = () => {};
const listeners = new Set<() => void>();

export function getDialog(): DialogState {
  return state;
}

export function subscribeDialog(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function set(next: DialogState) {
  state = next;
  for (const listener of listeners) listener();
}

function close(isConfirmed: boolean) {
  // The words stay while the dialog fades.
  set({ ...state, isOpen: false, isBusy: false });
  settle(isConfirmed);
  settle = () => {};
}

/** Asks first, then runs. Open and busy until it is done; open with the message when it failed. */
export function confirm(request: ConfirmRequest): Promise<boolean> {
  settle(false);
  return new Promise((resolve) => {
    settle = resolve;
    set({ isOpen: true, confirm: request });
  });
}

/** Tells, and waits for OK. */
export function inform(request: InfoRequest): Promise<boolean> {
  settle(false);
  return new Promise((resolve) => {
    settle = resolve;
    set({ isOpen: true, info: request });
  });
}

export function dismissDialog(): void {
  if (state.isOpen && state.isBusy !== true) close(false);
}

export async function runConfirmed(): Promise<void> {
  const request = state.confirm;
  if (request === undefined || !state.isOpen || state.isBusy === true) return;
  set({ isOpen: true, confirm: request, isBusy: true });
  try {
    await request.run();
    if (state.confirm === request) close(true);
  } catch (error) {
    const { failed } = request;
    const message = typeof failed === 'string' ? messageOf(error, failed) : failed(error);
    if (state.confirm === request && state.isOpen) {
      set({ isOpen: true, confirm: request, failure: { error, message } });
    }
  }
}

// What the last administrator was asked is no business of the next one.
onSessionEnd(() => close(false));
