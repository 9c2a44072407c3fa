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
  /** Asks for an answer, rather than tells. */
  asks?: boolean;
  title: ReactNode;
  text: ReactNode;
  /** The safe choice: the focus starts here. */
  initialFocus: RefObject<HTMLElement | null>;
  /** Escape, or the back gesture of a phone. */
  onDismiss: () => void;
  /** Enter in a field. Not on a button, nor where Enter opens something: a list, a calendar. */
  onEnter?: (() => void) | undefined;
  /** An error, and the buttons. */
  children: ReactNode;
}

/** What every key says that an input method takes for itself: Safari says it by nothing else. */
const PROCESSED = 229;
const isTaken = ({ nativeEvent }: KeyboardEvent) =>
  nativeEvent.isComposing || nativeEvent.keyCode === PROCESSED;

const isEnterInText = ({ key, target }: KeyboardEvent) =>
  key === 'Enter' && target instanceof Element && target.matches('[type=text]');

/**
 * What every dialog shares. The native element keeps the focus inside, makes the page behind it
 * inert, lies above everything and gives the focus back to the opener. Mounted means open.
 */
export function DialogFrame({
  asks = false,
  title,
  text,
  initialFocus,
  onDismiss,
  onEnter,
  children,
}: DialogFrameProps) {
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
      // The owner closes it, by no longer rendering it; until then it stays.
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
      {/* Line breaks are kept: who is meant and what follows may stand on lines of their own. */}
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
  /** Says what will happen, and to whom. */
  children: ReactNode;
  confirmLabel?: string | undefined;
  cancelLabel?: string | undefined;
  danger?: boolean | undefined;
  /** Running: the dialog stays, and neither button nor Escape does anything. */
  busy?: boolean | undefined;
  busyLabel?: string | undefined;
  /** Something to fill in before one confirms. */
  field?: ReactNode;
  /** Why it failed. Shown inside, so that one can try again or leave. */
  error?: ReactNode;
  onConfirm: () => void;
  onCancel: () => void;
}

export function ConfirmDialog({
  open,
  title,
  children,
  confirmLabel = 'Confirm',
  cancelLabel = 'Cancel',
  danger = false,
  busy = false,
  busyLabel = 'Working...',
  field,
  error,
  onConfirm,
  onCancel,
}: ConfirmDialogProps) {
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
      {error !== undefined && error !== null && error !== '' && (
        <Alert className="mb-5">{error}</Alert>
      )}
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

export interface InfoDialogProps {
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

export interface DrawerProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** Its name for screen readers. */
  label: string;
  children: ReactNode;
}

/** Slides in from the left over the page: the sidebar of small screens. */
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
    // Escape is the keyboard's way; a press beside the drawer is the finger's.
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

/**
 * Makes Tab go round inside an element. A modal dialog keeps the focus off the page by itself,
 * but lets it out to the browser's own bar at either end.
 */
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
