import { useState } from 'react';
import type { Me } from '@meridian/contract/me/account';
import { SafeText } from '@meridian/ui/SafeText.tsx';
import { ConfirmDialog } from '@meridian/ui/dialogs.tsx';
import { TextField } from '@meridian/ui/fields.tsx';
import { calls } from '../api/calls.ts';
import { useAction } from '../api/use-action.ts';
import { forgetDrafts } from '../composer/draft-store.ts';

const FIELD_ID = 'handle-to-delete';

type DeleteDialogProps = { user: Me['user']; onClose: () => void; onDeleted: () => void };

export function DeleteDialog({ user, onClose, onDeleted }: DeleteDialogProps) {
  const [typed, setTyped] = useState('');
  const [isWrong, setWrong] = useState(false);
  const handle = typed.trim().replace(/^@/, '');
  const remove = useAction(async () => {
    await calls.meDelete({ body: { handle, isSure: true } });
    forgetDrafts(user.id);
    onDeleted();
  });
  function confirm() {
    const isOther = handle !== user.handle;
    setWrong(isOther);
    if (isOther) document.getElementById(FIELD_ID)?.focus();
    else void remove.run();
  }
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
          id={FIELD_ID}
          value={typed}
          error={isWrong ? `Type ${user.handle} to confirm.` : undefined}
          onChange={({ target }) => {
            setTyped(target.value);
            setWrong(false);
          }}
        />
      }
      onConfirm={confirm}
      onCancel={onClose}
    >
      Your posts, pictures, plan and connection are deleted here for good, and scheduled posts never
      go out. What was published stays on Bluesky.
    </ConfirmDialog>
  );
}
