import { useRef, type ReactNode } from 'react';
import { Alert } from './Alert.tsx';
import { Button } from './Button.tsx';
import { DialogFrame } from './DialogFrame.tsx';

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
