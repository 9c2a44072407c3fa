import { KeyRound, LogOut, Monitor, Moon, Slash, Sun } from 'lucide-react';
import { logout } from '../../auth/session.ts';
import { paths } from '../../paths.ts';
import { useTheme } from '../../theme/use-theme.ts';
import { Menu } from '../../ui/Menu.tsx';
import { MenuItem } from '../../ui/MenuItem.tsx';
import { MenuRadioGroup } from '../../ui/MenuRadioGroup.tsx';
import { MenuSeparator } from '../../ui/MenuSeparator.tsx';
import { mayLeave } from '../form/unsaved-changes.ts';
import { AppLink } from '../navigation/AppLink.tsx';
import { areSingleKeysOff } from '../single-keys.ts';
import { switchSingleKeys } from '../switch-single-keys.ts';
import { ProfileButton } from './ProfileButton.tsx';

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
