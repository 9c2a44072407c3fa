import { Logo } from '../../theme/Logo.tsx';
import { paths } from '../../paths.ts';
import { AppLink } from '../navigation/AppLink.tsx';
import { PaletteButton } from '../palette/PaletteButton.tsx';
import { NAV_ITEMS } from './nav-items.ts';
import { NavItem } from './NavItem.tsx';
import { OperationsNav } from './OperationsNav.tsx';
import { ProfileMenu } from './ProfileMenu.tsx';

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
