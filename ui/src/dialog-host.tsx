import { type ReactNode, useEffect, useLayoutEffect, useState } from 'react';
import { useLocation } from 'react-router';
import { REASON_MAX_LENGTH } from '@meridian/contract/requests';
import { messageOf } from './api/errors.ts';
import { getOwner, onSessionEnd, useIsMeridian } from './api/session.ts';
import { ConfirmDialog, InfoDialog } from './dialogs.tsx';
import { FailureNotes } from './failures.tsx';
import { TextField } from './fields.tsx';
import { useDraft, useRestored } from './form/drafts.ts';
import { createStore } from './hooks.ts';
import { type Outcome, UnknownOutcomeError } from './api/outcome.ts';

export interface ConfirmRequest {
  title: string;
  body: ReactNode;
  danger?: boolean | undefined;
  confirmLabel?: string | undefined;
  busyLabel?: string | undefined;
  fields?: ReactNode;
  takesReason?: boolean | undefined;
  run: (reason: string | undefined) => Promise<unknown>;
  /** Asked when the response was lost: a question about what has happened is not left open. */
  readOutcome?: (() => Promise<Outcome>) | undefined;
  failed: string | ((error: unknown) => string);
}

type InfoRequest = Pick<ConfirmRequest, 'title' | 'body'>;

interface DialogState {
  isOpen: boolean;
  opener?: Opener | undefined;
  confirm?: ConfirmRequest;
  info?: InfoRequest;
  isBusy?: boolean;
  failure?: { error: unknown; message: string };
}

const dialog = /* @__PURE__ */ createStore<DialogState>({ isOpen: false });
let reason = '';
let settle: (isConfirmed: boolean) => void = () => {};

export const getDialog = dialog.get;

function close(isConfirmed: boolean) {
  // The words stay while the dialog fades.
  dialog.set({ ...dialog.get(), isOpen: false, isBusy: false });
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
    dialog.set({ isOpen: true, opener: currentOpener(), ...request });
  });
}

/** Asks first, then runs. Open and busy until it is done; open with the message when it failed. */
export const confirm = (request: ConfirmRequest) => open({ confirm: request });

export const inform = (request: InfoRequest) => open({ info: request });

export function dismissDialog(): void {
  const { isOpen, isBusy = false } = dialog.get();
  if (isOpen && !isBusy) close(false);
}

async function runConfirmed(): Promise<void> {
  const { isOpen, isBusy = false, opener, confirm: request } = dialog.get();
  if (request === undefined || !isOpen || isBusy) return;
  dialog.set({ isOpen, opener, confirm: request, isBusy: true });
  try {
    await request.run(reason.trim() || undefined);
    if (dialog.get().confirm === request) close(true);
  } catch (error) {
    const outcome = error instanceof UnknownOutcomeError ? await request.readOutcome?.() : 'open';
    const now = dialog.get();
    if (now.confirm !== request || !now.isOpen) return;
    if (outcome === 'made' || outcome === 'gone') return close(outcome === 'made');
    const { failed } = request;
    const message = typeof failed === 'string' ? messageOf(error, failed) : failed(error);
    dialog.set({ isOpen, opener, confirm: request, failure: { error, message } });
  }
}

onSessionEnd(() => {
  close(false);
  dialog.set({ isOpen: false });
});

/** The dialogs of `confirm()` and `inform()` appear here. Once, in the shell. */
export function DialogHost() {
  const { isOpen, opener, confirm, info, isBusy, failure } = dialog.use();
  useFocusRescue(isOpen, opener);
  const { pathname } = useLocation();
  // A question of one page is not to be confirmed over another; one that runs stays, as only it can
  // tell how it ended.
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
                  onChange={keepReason}
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

function keepReason(text: string): void {
  reason = text;
}

const EMPTY = { reason: '' };

interface ReasonFieldProps {
  className?: string;
  /** The title of its dialog: asked again after the session has ended, it has its reason again. */
  of: string;
  typed?: string;
  onChange: (reason: string) => void;
}

export function ReasonField({ className, of, typed = '', onChange }: ReasonFieldProps) {
  const { initial } = useRestored(EMPTY, true, of);
  const [values, setValues] = useState(typed === '' ? initial : { reason: typed });
  const { reason } = values;
  useDraft(EMPTY, values, reason !== '', of);
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

type Opener = ReturnType<typeof currentOpener>;

function currentOpener() {
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
 * The element that opened a dialog may be gone or disabled once the dialog has done its work, or a
 * moment later when the page is drawn anew: the focus then moves on before it falls to the body.
 */
function useFocusRescue(isOpen: boolean, opener: Opener | undefined): void {
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
