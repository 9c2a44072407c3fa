import { Menu } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { Logo } from '../../theme/Logo.tsx';
import { Button } from '../../ui/Button.tsx';
import { SidebarContent } from './SidebarContent.tsx';

const load = () => import('../../ui/Drawer.tsx');
const Drawer = lazy(async () => ({ default: (await load()).Drawer }));

/** Under 1024 px: the name, and the button that opens the sidebar as a drawer. */
export function TopBar() {
  const [isOpen, setOpen] = useState(false);
  const [isWanted, setWanted] = useState(false);
  return (
    <header
      data-print="hide"
      className="sticky top-0 z-20 flex h-14 items-center gap-2.5 border-b border-border bg-ground px-4 lg:hidden"
    >
      <Button
        variant="ghost"
        aria-label="Menu"
        aria-expanded={isOpen}
        aria-haspopup="dialog"
        className="w-control px-0!"
        onClick={() => {
          setWanted(true);
          setOpen(true);
        }}
      >
        <Menu aria-hidden="true" className="size-5" />
      </Button>
      <span className="flex items-center gap-2.5 text-[0.9375rem] font-semibold">
        <Logo />
        Meridian
      </span>
      {isWanted && (
        <Suspense fallback={null}>
          <Drawer open={isOpen} onOpenChange={setOpen} label="Menu">
            <SidebarContent onNavigate={() => setOpen(false)} />
          </Drawer>
        </Suspense>
      )}
    </header>
  );
}
