import { lazy, Suspense, useSyncExternalStore } from 'react';
import { useFocusRescue } from './use-focus-rescue.ts';
import { dismissDialog, getDialog, runConfirmed, subscribeDialog } from './dialog-store.ts';

// A dialog weighs as much as three pages, and most visits open none: it comes when asked for.
const ConfirmDialog = lazy(async () => ({
  default: (await import('../../ui/ConfirmDialog.tsx')).ConfirmDialog,
}));
const InfoDialog = lazy(async () => ({
  default: (await import('../../ui/InfoDialog.tsx')).InfoDialog,
}));

/** Where `confirm()` and `inform()` appear. Once, in the shell. */
export function DialogHost() {
  const { isOpen, confirm, info, isBusy, error } = useSyncExternalStore(subscribeDialog, getDialog);
  // Nothing to rescue before the first dialog.
  useFocusRescue(isOpen || (confirm === undefined && info === undefined));
  return (
    <Suspense fallback={null}>
      {confirm !== undefined && (
        <ConfirmDialog
          open={isOpen}
          title={confirm.title}
          danger={confirm.danger}
          confirmLabel={confirm.confirmLabel}
          busy={isBusy}
          busyLabel={confirm.busyLabel}
          error={error}
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
    </Suspense>
  );
}
