import {
  Calendar,
  Cog,
  Layers,
  LayoutGrid,
  ListChecks,
  type LucideIcon,
  ScrollText,
  Settings,
  Ticket,
  TriangleAlert,
  Users,
} from 'lucide-react';
import { useId } from 'react';
import { useLocation, useNavigation } from 'react-router';
import { useIsMeridian } from '@meridian/ui/api/session.ts';
import { cx } from '@meridian/ui/classes.ts';
import { AppLink } from '@meridian/ui/links.tsx';
import { Logo } from '@meridian/ui/theme.tsx';
import { paths } from '../paths.ts';
import { ProfileMenu } from './ProfileMenu.tsx';
import { PaletteButton } from './palette.tsx';

interface SidebarContentProps {
  /** Something in it leads elsewhere: time to close the drawer. */
  onNavigate?: (() => void) | undefined;
}

/** The same in the sidebar of wide screens and in the drawer of narrow ones. */
export function SidebarContent({ onNavigate }: SidebarContentProps) {
  return (
    <>
      {/* Of its own, so that what scrolls never lies behind the profile below. */}
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
          <ul className="flex flex-col gap-0.5">
            {NAV_ITEMS.map((item) => (
              <NavItem key={item.to} {...item} onNavigate={onNavigate} />
            ))}
          </ul>
        </nav>
        <OperationsNav onNavigate={onNavigate} />
      </div>
      <div className="p-3">
        <ProfileMenu onNavigate={onNavigate} />
      </div>
    </>
  );
}

interface OperationsNavProps {
  onNavigate?: (() => void) | undefined;
}

/** The second group of links: what Meridian offers beyond the specification. */
function OperationsNav({ onNavigate }: OperationsNavProps) {
  // Twice in the document while the drawer is open.
  const titleId = useId();
  if (!useIsMeridian()) return null;
  return (
    <nav aria-labelledby={titleId} className="mt-6 px-3">
      <h2 id={titleId} className="mb-1 px-2.5 text-xs font-medium text-muted">
        Operations
      </h2>
      <ul className="flex flex-col gap-0.5">
        {OPERATIONS_ITEMS.map((item) => (
          <NavItem key={item.to} {...item} onNavigate={onNavigate} />
        ))}
      </ul>
    </nav>
  );
}

interface NavItemProps extends NavEntry {
  onNavigate?: (() => void) | undefined;
}

function NavItem({ label, to, Icon, onNavigate }: NavItemProps) {
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

export interface NavEntry {
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

/** Beyond the specification: pages of Meridian alone. */
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
