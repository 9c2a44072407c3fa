import { ChevronDown, KeyRound, LogOut, Monitor, Moon, Slash, Sun } from 'lucide-react';
import type { ComponentProps } from 'react';
import { Menu, MenuItem, MenuRadioGroup, MenuSeparator } from '@meridian/ui/Menu.tsx';
import { SafeText } from '@meridian/ui/SafeText.tsx';
import { mayLeave } from '@meridian/ui/form/unsaved-changes.ts';
import { AppLink } from '@meridian/ui/links.tsx';
import { Avatar } from '@meridian/ui/pictures.tsx';
import { useTheme } from '@meridian/ui/theme.tsx';
import { paths } from '../paths.ts';
import { logout, useAdmin } from '../session.tsx';
import { areSingleKeysOff, switchSingleKeys } from './single-keys.ts';

const THEMES = [
  { value: 'system', label: 'System', icon: <Monitor aria-hidden="true" /> },
  { value: 'light', label: 'Light', icon: <Sun aria-hidden="true" /> },
  { value: 'dark', label: 'Dark', icon: <Moon aria-hidden="true" /> },
] as const;

async function leave() {
  if (await mayLeave()) logout();
}

export function ProfileMenu({ onNavigate }: { onNavigate?: (() => void) | undefined }) {
  const [theme, setTheme] = useTheme();
  return (
    <Menu side="top" className="w-[13.5rem]" trigger={<ProfileButton />}>
      <MenuItem
        icon={<KeyRound aria-hidden="true" />}
        link={<AppLink to={paths.password} onClick={onNavigate} />}
      >
        Change Password
      </MenuItem>
      <MenuSeparator />
      <MenuRadioGroup label="Theme" value={theme} onValueChange={setTheme} options={THEMES} />
      <MenuSeparator />
      <SingleKeysItem />
      <MenuItem icon={<LogOut aria-hidden="true" />} onSelect={() => void leave()}>
        Logout
      </MenuItem>
    </Menu>
  );
}

/** Of its own: it is made when the menu opens, and says how it is then. */
function SingleKeysItem() {
  return (
    <MenuItem icon={<Slash aria-hidden="true" />} onSelect={switchSingleKeys}>
      Single-key shortcuts: {areSingleKeysOff() ? 'off' : 'on'}
    </MenuItem>
  );
}

/** Who is signed in. Pressed, it opens the profile menu. */
function ProfileButton(props: ComponentProps<'button'>) {
  const admin = useAdmin();
  const username = admin?.username ?? '';
  const name = admin?.displayName || username;
  return (
    <button
      type="button"
      aria-haspopup="menu"
      aria-expanded={false}
      {...props}
      className="flex w-full min-w-0 items-center gap-2.5 rounded px-2.5 py-2 text-start transition-colors hover:bg-hover aria-expanded:bg-hover"
    >
      <Avatar name={name} />
      <span className="min-w-0 flex-1 leading-tight">
        <span className="block truncate text-base font-medium">
          <SafeText>{name}</SafeText>
        </span>
        <span className="block truncate text-xs text-muted">
          @<SafeText>{username}</SafeText>
        </span>
      </span>
      <ChevronDown aria-hidden="true" className="size-4 shrink-0 text-muted" />
    </button>
  );
}
