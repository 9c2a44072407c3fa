import {
  Calendar,
  ChevronDown,
  Cog,
  KeyRound,
  Layers,
  LayoutGrid,
  ListChecks,
  LogOut,
  type LucideIcon,
  Monitor,
  Moon,
  ScrollText,
  Settings,
  Slash,
  Sun,
  Ticket,
  TriangleAlert,
  Users,
} from 'lucide-react';
import { type ComponentProps, useId } from 'react';
import { useLocation, useNavigation } from 'react-router';
import { Menu, MenuItem, MenuRadioGroup, MenuSeparator } from '@meridian/ui/Menu.tsx';
import { SafeText } from '@meridian/ui/SafeText.tsx';
import { useIsMeridian } from '@meridian/ui/api/session.ts';
import { cx } from '@meridian/ui/classes.ts';
import { mayLeave } from '@meridian/ui/form/unsaved-changes.ts';
import { AppLink } from '@meridian/ui/links.tsx';
import { Avatar } from '@meridian/ui/pictures.tsx';
import { Logo, useTheme } from '@meridian/ui/theme.tsx';
import { paths } from '../paths.ts';
import { logout, useAdmin } from '../session.tsx';
import { PaletteButton } from './palette.tsx';
import { areSingleKeysOff, switchSingleKeys } from './single-keys.ts';

interface NavigationProps {
  /** Called when something leads elsewhere: time to close the drawer. */
  onNavigate?: (() => void) | undefined;
}

export function SidebarContent({ onNavigate }: NavigationProps) {
  return (
    <>
      <div className="flex min-h-0 flex-1 scroll-py-2 flex-col overflow-y-auto">
        <AppLink
          to={paths.dashboard}
          onClick={onNavigate}
          className="mx-3 mt-3.5 mb-3 flex h-9 items-center gap-2.5 self-start rounded px-2.5 text-[0.9375rem] font-semibold"
        >
          <Logo />
          Meridian
        </AppLink>
        <PaletteButton onOpen={onNavigate} />
        <nav aria-label="Main" className="px-3">
          <NavList items={NAV_ITEMS} onNavigate={onNavigate} />
        </nav>
        <OperationsNav onNavigate={onNavigate} />
      </div>
      <div className="p-3">
        <ProfileMenu onNavigate={onNavigate} />
      </div>
    </>
  );
}

function OperationsNav({ onNavigate }: NavigationProps) {
  // Twice in the document while the drawer is open.
  const titleId = useId();
  if (!useIsMeridian()) return null;
  return (
    <nav aria-labelledby={titleId} className="mt-6 px-3">
      <h2 id={titleId} className="mb-1 px-2.5 text-xs font-medium text-muted">
        Operations
      </h2>
      <NavList items={OPERATIONS_ITEMS} onNavigate={onNavigate} />
    </nav>
  );
}

function NavList({ items, onNavigate }: NavigationProps & { items: readonly NavEntry[] }) {
  return (
    <ul className="flex flex-col gap-0.5">
      {items.map((item) => (
        <NavItem key={item.to} {...item} onNavigate={onNavigate} />
      ))}
    </ul>
  );
}

function NavItem({ label, to, Icon, onNavigate }: NavEntry & NavigationProps) {
  const location = useLocation();
  const { location: next } = useNavigation();
  const isCurrent = isUnder(location.pathname, to);
  // A press is answered at once, even while the page is still on its way.
  const isMarked = isUnder((next ?? location).pathname, to);
  return (
    <li>
      <AppLink
        to={to}
        aria-current={isCurrent ? 'page' : undefined}
        onClick={onNavigate}
        className={cx(
          'flex h-9 items-center gap-3 rounded border px-2.5 text-base font-medium transition-colors coarse:h-11',
          isMarked
            ? 'border-border bg-surface text-text shadow-card dark:border-transparent dark:bg-sunken'
            : 'border-transparent text-muted hover:bg-hover hover:text-text',
        )}
      >
        <Icon aria-hidden="true" className={cx('size-4 shrink-0', isMarked && 'text-accent')} />
        {label}
      </AppLink>
    </li>
  );
}

const THEMES = [
  { value: 'system', label: 'System', icon: <Monitor aria-hidden="true" /> },
  { value: 'light', label: 'Light', icon: <Sun aria-hidden="true" /> },
  { value: 'dark', label: 'Dark', icon: <Moon aria-hidden="true" /> },
] as const;

function ProfileMenu({ onNavigate }: NavigationProps) {
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

export async function leave() {
  if (await mayLeave()) logout();
}

/** A component, so that it is made when the menu opens, and says how it is then. */
function SingleKeysItem() {
  return (
    <MenuItem icon={<Slash aria-hidden="true" />} onSelect={switchSingleKeys}>
      Single-key shortcuts: {areSingleKeysOff() ? 'off' : 'on'}
    </MenuItem>
  );
}

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

interface NavEntry {
  label: string;
  to: string;
  Icon: LucideIcon;
}

export const NAV_ITEMS: readonly NavEntry[] = [
  { label: 'Dashboard', to: paths.dashboard, Icon: LayoutGrid },
  { label: 'Users', to: paths.users, Icon: Users },
  { label: 'Posts', to: paths.posts, Icon: Calendar },
  { label: 'Tickets', to: paths.tickets, Icon: Ticket },
  { label: 'Plans', to: paths.plans, Icon: Layers },
  { label: 'Service Settings', to: paths.settings, Icon: Settings },
];

export const OPERATIONS_ITEMS: readonly NavEntry[] = [
  { label: 'Engine', to: paths.engine, Icon: Cog },
  { label: 'Failures', to: paths.failures, Icon: TriangleAlert },
  { label: 'Audit Log', to: paths.audit, Icon: ScrollText },
  { label: 'Jobs', to: paths.jobs, Icon: ListChecks },
];

/** The page itself, or one below it. The dashboard is below nothing. */
function isUnder(pathname: string, to: string): boolean {
  return pathname === to || (to !== '/' && pathname.startsWith(`${to}/`));
}
