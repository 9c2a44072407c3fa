import {
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useId,
  useLayoutEffect,
  useRef,
} from 'react';
import { Alert } from './Alert.tsx';
import { Button } from './Button.tsx';

interface DialogFrameProps {
  asks?: boolean;
  title: ReactNode;
  text: ReactNode;
  initialFocus: RefObject<HTMLElement | null>;
  onDismiss: () => void;
  /** Enter in a field. Not on a button, nor where Enter opens something: a list, a calendar. */
  onEnter?: (() => void) | undefined;
  children: ReactNode;
}

/** Safari says by this code alone that an input method takes the key for itself. */
const PROCESSED = 229;
const isTaken = ({ nativeEvent }: KeyboardEvent) =>
  nativeEvent.isComposing || nativeEvent.keyCode === PROCESSED;

const isEnterInText = ({ key, target }: KeyboardEvent) =>
  key === 'Enter' && target instanceof Element && target.matches('[type=text]');

/** The frame of every dialog: a native element, which gives the focus back. Mounted means open. */
export function DialogFrame(props: DialogFrameProps) {
  const { asks = false, title, text, initialFocus, onDismiss, onEnter, children } = props;
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();

  // Only a call opens it as a modal. Closing before it leaves the page returns the focus.
  useLayoutEffect(() => {
    const element = dialog.current;
    element?.showModal();
    initialFocus.current?.focus();
    return () => element?.close();
  }, [initialFocus]);

  return (
    <dialog
      ref={dialog}
      role={asks ? 'alertdialog' : undefined}
      aria-labelledby={`${id}-title`}
      aria-describedby={`${id}-text`}
      onCancel={(event) => {
        event.preventDefault();
        onDismiss();
      }}
      // Pressed twice, Escape closes it over any objection of onCancel, but not over this one.
      onKeyDown={(event) => {
        if (isTaken(event)) return;
        keepFocusInside(event);
        if (onEnter !== undefined && isEnterInText(event)) onEnter();
        if (event.key !== 'Escape') return;
        event.preventDefault();
        onDismiss();
      }}
      className="m-auto max-h-[calc(100dvh-2rem)] w-[27rem] max-w-[calc(100vw-2rem)] overflow-y-auto rounded-lg border border-border bg-raised p-5 text-text shadow-pop transition-[opacity,scale] backdrop:bg-overlay starting:scale-98 starting:opacity-0"
    >
      <h2 id={`${id}-title`} className="text-lg wrap-anywhere">
        {title}
      </h2>
      <div
        id={`${id}-text`}
        className="mt-2 mb-5 text-base wrap-anywhere whitespace-pre-line text-muted"
      >
        {text}
      </div>
      {children}
    </dialog>
  );
}

export interface ConfirmDialogProps {
  open: boolean;
  title: ReactNode;
  children: ReactNode;
  confirmLabel?: string | undefined;
  cancelLabel?: string | undefined;
  danger?: boolean | undefined;
  busy?: boolean | undefined;
  busyLabel?: string | undefined;
  field?: ReactNode;
  error?: ReactNode;
  onConfirm: () => void;
  onCancel: () => void;
}

export function ConfirmDialog(props: ConfirmDialogProps) {
  const { open, title, children, danger = false, busy = false, field, error } = props;
  const { confirmLabel = 'Confirm', cancelLabel = 'Cancel', busyLabel = 'Working...' } = props;
  const { onConfirm, onCancel } = props;
  const safeButton = useRef<HTMLButtonElement>(null);
  if (!open) return null;
  function dismiss() {
    if (!busy) onCancel();
  }
  return (
    <DialogFrame
      asks
      title={title}
      text={children}
      initialFocus={safeButton}
      onDismiss={dismiss}
      onEnter={() => !busy && onConfirm()}
    >
      {field}
      {Boolean(error) && <Alert className="mb-5">{error}</Alert>}
      <div className="flex flex-wrap justify-end gap-2">
        <Button ref={safeButton} aria-disabled={busy || undefined} onClick={dismiss}>
          {cancelLabel}
        </Button>
        <Button
          variant={danger ? 'danger' : 'primary'}
          busy={busy}
          busyLabel={busyLabel}
          onClick={onConfirm}
        >
          {confirmLabel}
        </Button>
      </div>
    </DialogFrame>
  );
}

interface InfoDialogProps {
  open: boolean;
  title: ReactNode;
  children: ReactNode;
  onClose: () => void;
}

export function InfoDialog({ open, title, children, onClose }: InfoDialogProps) {
  const okButton = useRef<HTMLButtonElement>(null);
  if (!open) return null;
  return (
    <DialogFrame title={title} text={children} initialFocus={okButton} onDismiss={onClose}>
      <div className="flex justify-end">
        <Button ref={okButton} variant="primary" onClick={onClose}>
          OK
        </Button>
      </div>
    </DialogFrame>
  );
}

interface DrawerProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  label: string;
  children: ReactNode;
}

export function Drawer({ open, onOpenChange, label, children }: DrawerProps) {
  const dialog = useRef<HTMLDialogElement>(null);

  // Only calls open and close a modal; the element stays, so that it can slide out again.
  useLayoutEffect(() => {
    const element = dialog.current;
    if (element === null || element.open === open) return;
    if (open) element.showModal();
    else element.close();
  }, [open]);

  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <dialog
      ref={dialog}
      aria-label={label}
      className="drawer m-0 me-auto h-dvh max-h-none w-[17rem] max-w-[85vw] border-e border-border bg-ground p-0 text-text shadow-pop backdrop:bg-overlay"
      onKeyDown={keepFocusInside}
      onClose={() => {
        if (open) onOpenChange(false);
      }}
      onPointerDown={(event) => {
        // Its content fills it: what hits the element itself hits its backdrop.
        if (event.target === dialog.current) onOpenChange(false);
      }}
    >
      <div className="flex h-full flex-col">{children}</div>
    </dialog>
  );
}

const STOPS = 'a[href], button, input, select, textarea, summary, [tabindex]:not([tabindex="-1"])';

/** Makes Tab go round inside a dialog, which else lets the focus out to the browser's own bar. */
export function keepFocusInside(event: KeyboardEvent<HTMLElement>): void {
  if (event.key !== 'Tab') return;
  const stops = [...event.currentTarget.querySelectorAll<HTMLElement>(STOPS)].filter(
    (stop) => stop.tabIndex >= 0 && !stop.matches(':disabled') && stop.checkVisibility(),
  );
  const edge = event.shiftKey ? stops[0] : stops.at(-1);
  if (document.activeElement !== edge) return;
  event.preventDefault();
  (event.shiftKey ? stops.at(-1) : stops[0])?.focus();
}
