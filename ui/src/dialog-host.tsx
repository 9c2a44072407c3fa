import { type ReactNode, useEffect, useLayoutEffect, useState, useSyncExternalStore } from 'react';
import { useLocation } from 'react-router';
import { REASON_MAX_LENGTH } from '@meridian/contract/requests';
import { messageOf } from './api/errors.ts';
import { getOwner, onSessionEnd, useIsMeridian } from './api/session.ts';
import { ConfirmDialog, InfoDialog } from './dialogs.tsx';
import { FailureNotes } from './failures.tsx';
import { TextField } from './fields.tsx';
import { useDraft, useRestored } from './form/drafts.ts';
import { type Outcome, UnknownOutcomeError } from './api/outcome.ts';

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

function subscribeDialog(listener: () => void): () => void {
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
  if (getOwner() === null) return Promise.resolve(false);
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
function setReason(text: string): void {
  reason = text;
}

export function dismissDialog(): void {
  if (state.isOpen && state.isBusy !== true) close(false);
}

async function runConfirmed(): Promise<void> {
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

/** Where `confirm()` and `inform()` appear. Once, in the shell. */
export function DialogHost() {
  const { isOpen, opener, confirm, info, isBusy, failure } = useSyncExternalStore(
    subscribeDialog,
    getDialog,
  );
  useFocusRescue(isOpen, opener);
  const { pathname } = useLocation();
  // The store outlives the page. What is asked of one page is not to be confirmed over another;
  // one that runs stays, as only it can tell how it ended.
  useEffect(
    () => () => {
      if (location.pathname !== pathname) dismissDialog();
    },
    [pathname],
  );
  const hasReasons = useIsMeridian();
  return (
    <>
      {confirm !== undefined && (
        <ConfirmDialog
          open={isOpen}
          title={confirm.title}
          danger={confirm.danger}
          confirmLabel={confirm.confirmLabel}
          busy={isBusy}
          busyLabel={confirm.busyLabel}
          field={
            <>
              {confirm.fields}
              {confirm.takesReason === true && hasReasons && (
                <ReasonField
                  key={confirm.title}
                  of={confirm.title}
                  className="mb-5"
                  onChange={setReason}
                />
              )}
            </>
          }
          error={
            failure && (
              <>
                {failure.message}
                <FailureNotes error={failure.error} />
              </>
            )
          }
          onConfirm={() => void runConfirmed()}
          onCancel={dismissDialog}
        >
          {confirm.body}
        </ConfirmDialog>
      )}
      {info !== undefined && (
        <InfoDialog open={isOpen} title={info.title} onClose={dismissDialog}>
          {info.body}
        </InfoDialog>
      )}
    </>
  );
}

const EMPTY = { reason: '' };

interface ReasonFieldProps {
  className?: string;
  /** The title of its dialog: asked again after the session has ended, it has its reason again. */
  of: string;
  /** What was typed before the field was away for a moment. */
  typed?: string;
  onChange: (reason: string) => void;
}

/** The reason of a change, for the audit log. */
export function ReasonField({ className, of, typed = '', onChange }: ReasonFieldProps) {
  const { initial } = useRestored(EMPTY, true, of);
  const [values, setValues] = useState(typed === '' ? initial : { reason: typed });
  const { reason } = values;
  useDraft(EMPTY, values, reason !== '', of);
  // Restored, it is there before anything is typed.
  useEffect(() => onChange(reason), [onChange, reason]);
  return (
    <TextField
      label="Reason (optional)"
      hint="Stored in the audit log"
      className={className}
      autoComplete="off"
      maxLength={REASON_MAX_LENGTH}
      value={reason}
      onChange={(event) => setValues({ reason: event.target.value })}
    />
  );
}

/** What opened a dialog, and the heading of the card it is in. */
export interface Opener {
  element: Element | null;
  heading: HTMLElement | null;
}

function currentOpener(): Opener {
  const element = document.activeElement;
  return { element, heading: element?.closest('section')?.querySelector('h2') ?? null };
}

/** The heading of its card, or of the page where that is gone too. */
function focusNear({ heading }: Opener) {
  const target =
    heading?.isConnected === true ? heading : document.querySelector<HTMLElement>('main h1');
  target?.setAttribute('tabindex', '-1');
  target?.focus({ preventScroll: true });
}

/**
 * What opened a dialog may be gone or disabled once the dialog has done its work, or a moment
 * later when the page is drawn anew: the focus then moves on before it falls to the body.
 */
function useFocusRescue(isOpen: boolean, opener: Opener | undefined): void {
  // Focus is the browser's, and only the document tells what became of the element that had it.
  useLayoutEffect(() => {
    if (isOpen || opener === undefined) return undefined;
    const rescue = () => {
      const { activeElement } = document;
      if (activeElement === document.body || activeElement?.matches(':disabled') === true) {
        focusNear(opener);
      }
      if (document.activeElement !== opener.element) observer.disconnect();
    };
    const observer = new MutationObserver(rescue);
    observer.observe(document.body, {
      subtree: true,
      childList: true,
      attributeFilter: ['disabled'],
    });
    rescue();
    return () => observer.disconnect();
  }, [isOpen, opener]);
}
