import { useSyncExternalStore } from 'react';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { InfoDialog } from '../../ui/InfoDialog.tsx';
import { FailureNotes } from '../FailureNotes.tsx';
import { dismissDialog, getDialog, runConfirmed, subscribeDialog } from './dialog-store.ts';
import { useFocusRescue } from './use-focus-rescue.ts';

/** Where `confirm()` and `inform()` appear. Once, in the shell. */
export function DialogHost() {
  const { isOpen, opener, confirm, info, isBusy, failure } = useSyncExternalStore(
    subscribeDialog,
    getDialog,
  );
  useFocusRescue(isOpen, opener);
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
