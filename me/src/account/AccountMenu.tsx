import { ChevronDown, Download, LogOut, Plug, Trash2, Unplug } from 'lucide-react';
import { Suspense, useState } from 'react';
import type { Me } from '@meridian/contract/me/account';
import { NETWORK_IMAGE_HOST } from '@meridian/contract/network';
import { Menu, MenuItem, MenuRadioGroup, MenuSeparator } from '@meridian/ui/Menu.tsx';
import { SafeText } from '@meridian/ui/SafeText.tsx';
import { call } from '@meridian/ui/api/call.ts';
import { TextField } from '@meridian/ui/fields.tsx';
import { Avatar } from '@meridian/ui/pictures.tsx';
import { useTheme } from '@meridian/ui/theme.tsx';
import { showToast } from '@meridian/ui/toasts.ts';
import { attempt, useAction } from '../api/actions.ts';
import { meDelete, meDisconnect, meExport, meSignOut } from '../api/calls.ts';
import { readAgain } from '../api/reads.ts';
import { forgetDrafts } from '../composer/draft-store.ts';
import { ConfirmDialog, loadDialog, useConfirm } from '../parts.tsx';

type AccountMenuProps = { me: Me; onConnect: () => void; onLeft: () => void };

const THEMES = [
  { value: 'system', label: 'System' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
] as const;

/** The page's policy lets a picture come from these places only. */
function ownPicture(avatar: string | null): string | undefined {
  const isAllowed = ['/', `https://${NETWORK_IMAGE_HOST}/`].some((from) =>
    avatar?.startsWith(from),
  );
  return (isAllowed && avatar) || undefined;
}

export function AccountMenu({ me, onConnect, onLeft }: AccountMenuProps) {
  const [theme, setTheme] = useTheme();
  const [dialog, ask] = useConfirm();
  const [isDeleting, setDeleting] = useState(false);
  const { displayName, handle, avatar } = me.user;
  const name = displayName ?? handle;

  function askDisconnect() {
    ask({
      title: 'Disconnect your account?',
      body: 'The service gives its access to your account back. Your scheduled posts wait until you connect again.',
      confirmLabel: 'Disconnect',
      danger: true,
      run: async () => {
        await call(meDisconnect);
        showToast({ message: 'Your account is disconnected' });
        await readAgain();
      },
    });
  }
  return (
    <>
      <Menu
        align="end"
        className="w-56"
        trigger={
          <button
            type="button"
            className="flex min-w-0 items-center gap-2.5 rounded px-2 py-1.5 hover:bg-sunken"
          >
            <Avatar src={ownPicture(avatar)} name={name} />
            <span className="flex max-w-40 min-w-0 flex-col text-start leading-tight max-sm:sr-only">
              <SafeText className="line-clamp-2 text-sm font-medium wrap-anywhere">{name}</SafeText>
              {displayName !== null && (
                <span className="line-clamp-2 text-xs text-muted wrap-anywhere">
                  @<SafeText>{handle}</SafeText>
                </span>
              )}
            </span>
            <ChevronDown aria-hidden="true" className="size-4 shrink-0 text-muted" />
          </button>
        }
      >
        <MenuRadioGroup label="Theme" value={theme} onValueChange={setTheme} options={THEMES} />
        <MenuSeparator />
        <MenuItem icon={<Plug aria-hidden="true" />} onSelect={onConnect}>
          Connect again
        </MenuItem>
        {me.account.state === 'CONNECTED' && (
          <MenuItem icon={<Unplug aria-hidden="true" />} onSelect={askDisconnect}>
            Disconnect
          </MenuItem>
        )}
        <MenuItem
          icon={<Download aria-hidden="true" />}
          // The words come from the item.
          // oxlint-disable-next-line jsx-a11y/control-has-associated-label
          link={<a href={meExport.path} download="meridian-export.json" />}
        >
          Export my data
        </MenuItem>
        <MenuItem
          danger
          icon={<Trash2 aria-hidden="true" />}
          onSelect={() => void attempt(loadDialog, () => setDeleting(true))}
        >
          Delete my data
        </MenuItem>
        <MenuSeparator />
        <MenuItem
          icon={<LogOut aria-hidden="true" />}
          onSelect={() => void attempt(() => call(meSignOut), onLeft)}
        >
          Sign out
        </MenuItem>
      </Menu>
      {dialog}
      {isDeleting && (
        <Suspense>
          <DeleteDialog user={me.user} onClose={() => setDeleting(false)} onLeft={onLeft} />
        </Suspense>
      )}
    </>
  );
}

const FIELD_ID = 'handle-to-delete';

type DeleteDialogProps = { user: Me['user']; onClose: () => void; onLeft: () => void };

function DeleteDialog({ user, onClose, onLeft }: DeleteDialogProps) {
  const [typed, setTyped] = useState('');
  const [isWrong, setWrong] = useState(false);
  const handle = typed.trim().replace(/^@/, '');
  const remove = useAction(async () => {
    await call(meDelete, { body: { handle, isSure: true } });
    forgetDrafts(user.id);
    onLeft();
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
