import type { Me } from '@meridian/contract/me/account';
import { useState } from 'react';
import { ApiError } from '../../../console/src/api/api-error.ts';
import { ConfirmDialog } from '../../../console/src/ui/ConfirmDialog.tsx';
import { SafeText } from '../../../console/src/ui/SafeText.tsx';
import { TextField } from '../../../console/src/ui/TextField.tsx';
import { calls } from '../api/calls.ts';
import { useAction } from '../api/use-action.ts';
import { forgetDrafts } from '../composer/draft-store.ts';

type DeleteDialogProps = { user: Me['user']; onClose: () => void; onDeleted: () => void };

export function DeleteDialog({ user, onClose, onDeleted }: DeleteDialogProps) {
  const [typed, setTyped] = useState('');
  const remove = useAction(async () => {
    const handle = typed.trim().replace(/^@/, '');
    if (handle !== user.handle) {
      throw new ApiError({ status: 400, message: `Type ${user.handle} to confirm.` });
    }
    await calls.meDelete({ body: { handle, isSure: true } });
    forgetDrafts(user.id);
    onDeleted();
  });
  return (
    <ConfirmDialog
      open
      danger
      title="Delete your data?"
      confirmLabel="Delete everything"
      busy={remove.isBusy}
      busyLabel="Deleting..."
      error={remove.error}
      field={
        <TextField
          label={
            <>
              Type your handle <SafeText>{user.handle}</SafeText> to confirm
            </>
          }
          className="mb-5"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          value={typed}
          onChange={({ target }) => setTyped(target.value)}
        />
      }
      onConfirm={() => void remove.run()}
      onCancel={onClose}
    >
      Your posts, pictures, plan and connection are deleted here for good, and scheduled posts never
      go out. What was published stays on Bluesky.
    </ConfirmDialog>
  );
}
