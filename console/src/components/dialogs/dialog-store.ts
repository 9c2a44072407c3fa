import type { ReactNode } from 'react';
import { messageOf } from '../../api/api-error.ts';
import { UnknownOutcomeError } from '../../api/unknown-outcome.ts';
import { onSessionEnd } from '../../api/session-end.ts';
import { getSession } from '../../auth/session.ts';
import type { Outcome } from './read-outcome.ts';
import { currentOpener, type Opener } from './use-focus-rescue.ts';

export interface ConfirmRequest {
  title: string;
  /** Says what will happen, and to whom. */
  body: ReactNode;
  /** Red: it cannot be undone, or it shuts users out. */
  danger?: boolean | undefined;
  confirmLabel?: string | undefined;
  /** Shown on the button while it runs: 'Revoking...'. */
  busyLabel?: string | undefined;
  /** To fill in before one confirms. */
  fields?: ReactNode;
  /** Asks why, where the server stores reasons. */
  takesReason?: boolean | undefined;
  /** The reason is undefined when none was given. */
  run: (reason: string | undefined) => Promise<unknown>;
  /** Asked when the response was lost: a question about what has happened is not left open. */
  readOutcome?: (() => Promise<Outcome>) | undefined;
  /** What the dialog says when it fails and the server does not say why, or how to say it. */
  failed: string | ((error: unknown) => string);
}

export interface InfoRequest {
  title: string;
  body: ReactNode;
}

export interface DialogState {
  isOpen: boolean;
  /** To which the focus returns. */
  opener?: Opener | undefined;
  confirm?: ConfirmRequest;
  info?: InfoRequest;
  isBusy?: boolean;
  /** What went wrong, and in which words. */
  failure?: { error: unknown; message: string };
}

let state: DialogState = { isOpen: false };
let reason = '';
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

function open(request: Pick<DialogState, 'confirm' | 'info'>): Promise<boolean> {
  settle(false);
  // The session may have ended while the dialog was on its way: it would wait for the next one.
  if (getSession().phase !== 'signed-in') return Promise.resolve(false);
  return new Promise((resolve) => {
    settle = resolve;
    reason = '';
    set({ isOpen: true, opener: currentOpener(), ...request });
  });
}

/** Asks first, then runs. Open and busy until it is done; open with the message when it failed. */
export function confirm(request: ConfirmRequest): Promise<boolean> {
  return open({ confirm: request });
}

/** Tells, and waits for OK. */
export function inform(request: InfoRequest): Promise<boolean> {
  return open({ info: request });
}

/** What was typed as the reason so far. */
export function setReason(text: string): void {
  reason = text;
}

export function dismissDialog(): void {
  if (state.isOpen && state.isBusy !== true) close(false);
}

export async function runConfirmed(): Promise<void> {
  const request = state.confirm;
  if (request === undefined || !state.isOpen || state.isBusy === true) return;
  const { opener } = state;
  set({ isOpen: true, opener, confirm: request, isBusy: true });
  try {
    await request.run(reason.trim() || undefined);
    if (state.confirm === request) close(true);
  } catch (error) {
    const outcome = error instanceof UnknownOutcomeError ? await request.readOutcome?.() : 'open';
    if (state.confirm !== request || !state.isOpen) return;
    // Where it is gone, the page behind says so.
    if (outcome === 'made' || outcome === 'gone') return close(outcome === 'made');
    const { failed } = request;
    const message = typeof failed === 'string' ? messageOf(error, failed) : failed(error);
    set({ isOpen: true, opener, confirm: request, failure: { error, message } });
  }
}

// What the last administrator was asked is no business of the next one.
onSessionEnd(() => close(false));
