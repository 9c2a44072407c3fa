import { Menu } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useLocation } from 'react-router';
import { Logo } from '../../theme/Logo.tsx';
import { Button } from '../../ui/Button.tsx';
import { cx } from '../../ui/cx.ts';
import { Drawer } from '../../ui/Drawer.tsx';
import { SidebarContent } from './SidebarContent.tsx';

/** As long as the drawer takes to slide out. */
const SLIDE_MS = 200;

/** Under 1024 px: the name, and the button that opens the sidebar as a drawer. */
export function TopBar() {
  const [isOpen, setOpen] = useState(false);
  const [isFilled, setFilled] = useState(false);
  const { key } = useLocation();
  const [openedAt, setOpenedAt] = useState(key);
  // Whichever way one gets to another page, Back included, the drawer does not lie over it.
  if (key !== openedAt) {
    setOpenedAt(key);
    setOpen(false);
  }

  // Closed, the drawer keeps its content only until it is out of sight: one sidebar is enough.
  useEffect(() => {
    if (isOpen) return undefined;
    const timer = setTimeout(() => setFilled(false), SLIDE_MS);
    return () => clearTimeout(timer);
  }, [isOpen]);

  return (
    <header
      data-print="hide"
      className={cx(
        'sticky top-0 z-20 flex h-14 items-center gap-2.5 bg-ground px-4 lg:hidden',
        // No line: it would end where the room of the scrollbar begins. The page fades out below.
        'after:pointer-events-none after:absolute after:inset-x-0 after:top-full after:h-4 after:bg-linear-to-b after:from-ground after:to-transparent',
      )}
    >
      <Button
        variant="ghost"
        aria-label="Menu"
        aria-expanded={isOpen}
        aria-haspopup="dialog"
        className="w-control px-0!"
        onClick={() => {
          setFilled(true);
          setOpen(true);
        }}
      >
        <Menu aria-hidden="true" className="size-5" />
      </Button>
      <span className="flex items-center gap-2.5 text-[0.9375rem] font-semibold">
        <Logo />
        Meridian
      </span>
      <Drawer open={isOpen} onOpenChange={setOpen} label="Menu">
        {isFilled && <SidebarContent onNavigate={() => setOpen(false)} />}
      </Drawer>
    </header>
  );
}
