import { ChevronDown, Download, LogOut, Plug, Trash2, Unplug } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import type { Me } from '@meridian/contract/me/account';
import { NETWORK_IMAGE_HOST } from '@meridian/contract/network';
import { Menu, MenuItem, MenuRadioGroup, MenuSeparator } from '@meridian/ui/Menu.tsx';
import { SafeText } from '@meridian/ui/SafeText.tsx';
import { Avatar } from '@meridian/ui/pictures.tsx';
import { useTheme } from '@meridian/ui/theme.tsx';
import { showToast } from '@meridian/ui/toasts.tsx';
import { attempt, calls, EXPORT_PATH } from '../api/calls.ts';
import { useConfirm } from '../parts.tsx';

/** Few ever need it. */
const loadDeleteDialog = async () => ({
  default: (await import('./DeleteDialog.tsx')).DeleteDialog,
});
const DeleteDialog = lazy(loadDeleteDialog);

type AccountMenuProps = {
  me: Me;
  onConnect: () => void;
  onDisconnected: () => Promise<void>;
  onSignedOut: () => void;
};

const THEMES = [
  { value: 'system', label: 'System' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
] as const;

/** From where the page's policy lets a picture come. */
function ownPicture(avatar: string | null): string | undefined {
  const isAllowed = ['/', `https://${NETWORK_IMAGE_HOST}/`].some((from) =>
    avatar?.startsWith(from),
  );
  return (isAllowed && avatar) || undefined;
}

export function AccountMenu({ me, onConnect, onDisconnected, onSignedOut }: AccountMenuProps) {
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
        await calls.meDisconnect();
        showToast({ message: 'Your account is disconnected' });
        await onDisconnected();
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
          link={<a href={EXPORT_PATH} download="meridian-export.json" />}
        >
          Export my data
        </MenuItem>
        <MenuItem
          danger
          icon={<Trash2 aria-hidden="true" />}
          onSelect={() => void attempt(loadDeleteDialog, () => setDeleting(true))}
        >
          Delete my data
        </MenuItem>
        <MenuSeparator />
        <MenuItem
          icon={<LogOut aria-hidden="true" />}
          onSelect={() => void attempt(calls.meSignOut, onSignedOut)}
        >
          Sign out
        </MenuItem>
      </Menu>
      {dialog}
      {isDeleting && (
        <Suspense>
          <DeleteDialog user={me.user} onClose={() => setDeleting(false)} onDeleted={onSignedOut} />
        </Suspense>
      )}
    </>
  );
}
