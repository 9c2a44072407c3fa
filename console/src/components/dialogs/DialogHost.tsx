import { useEffect, useSyncExternalStore } from 'react';
import { useLocation } from 'react-router';
import { useIsMeridian } from '../../auth/use-is-meridian.ts';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { InfoDialog } from '../../ui/InfoDialog.tsx';
import { FailureNotes } from '../FailureNotes.tsx';
import {
  dismissDialog,
  getDialog,
  runConfirmed,
  setReason,
  subscribeDialog,
} from './dialog-store.ts';
import { ReasonField } from './ReasonField.tsx';
import { useFocusRescue } from './use-focus-rescue.ts';

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
