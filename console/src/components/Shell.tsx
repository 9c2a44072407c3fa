import { QueryClientProvider } from '@tanstack/react-query';
import { Menu } from 'lucide-react';
import { type ComponentType, lazy, Suspense, useEffect, useRef, useState } from 'react';
import { Outlet, useLocation, useNavigation } from 'react-router';
import type { EngineState } from '@meridian/contract/engine';
import { TONE_CLASS } from '@meridian/ui/Badge.tsx';
import { Button } from '@meridian/ui/Button.tsx';
import { SkipLink } from '@meridian/ui/PageHeader.tsx';
import { ToastRegion } from '@meridian/ui/ToastRegion.tsx';
import { queryClient } from '@meridian/ui/api/query.ts';
import { onSessionEnd, useIsMeridian } from '@meridian/ui/api/session.ts';
import { cx } from '@meridian/ui/classes.ts';
import { DialogHost } from '@meridian/ui/dialog-host.tsx';
import { Drawer } from '@meridian/ui/dialogs.tsx';
import { useLater, useOnline } from '@meridian/ui/hooks.ts';
import { Logo } from '@meridian/ui/theme.tsx';
import { clearToasts } from '@meridian/ui/toasts.ts';
import { useLive } from '../live.ts';
import { paths } from '../paths.ts';
import { LeftOutNote } from './LeftOutNote.tsx';
import type { StripLineProps } from './StripLine.tsx';
import { useEngine } from './figures.tsx';
import { SidebarContent } from './navigation.tsx';
import { restoreScrollAfterReload, useKeptFocus, usePageFocus } from './page-focus.ts';
import { PaletteHost } from './palette.tsx';
import { useFilterShortcut } from './single-keys.ts';
import { forgetVisits, useVisits } from './visits.tsx';

onSessionEnd(clearToasts);
onSessionEnd(forgetVisits);
restoreScrollAfterReload();

// A failure to load one of these leaves the page alone.
const BulkProgress = lazy(async () => {
  const loaded = await import('./BulkProgress.tsx').catch(() => null);
  return { default: loaded?.BulkProgress ?? (() => null) };
});
const StripLine = lazy<ComponentType<StripLineProps>>(async () => {
  const loaded = await import('./StripLine.tsx').catch(() => null);
  return { default: loaded?.StripLine ?? (() => null) };
});

export function Shell() {
  const main = useRef<HTMLElement>(null);
  const { location: next } = useNavigation();
  usePageFocus(main);
  useKeptFocus(main);
  useVisits();
  useFilterShortcut();
  useLive();
  const isMeridian = useIsMeridian();
  const hasBulk = useLater(isMeridian);
  return (
    <QueryClientProvider client={queryClient}>
      <SkipLink />
      <div className="lg:grid lg:grid-cols-[15rem_minmax(0,1fr)]">
        <header
          data-print="hide"
          className="sticky top-0 hidden h-dvh flex-col border-e border-border lg:flex"
        >
          <SidebarContent />
        </header>
        <div className="min-w-0">
          <TopBar />
          <ServiceStrip />
          <OfflineNotice />
          <main
            ref={main}
            id="main"
            tabIndex={-1}
            className={cx(
              '@container mx-auto max-w-[85rem] px-4 pt-9 pb-16 transition-opacity sm:px-6 lg:px-10',
              // Old content stays while the code of the next page is on its way.
              next !== undefined && 'opacity-60 delay-150',
            )}
          >
            <Outlet />
            {!isMeridian && <LeftOutNote />}
          </main>
        </div>
      </div>
      {hasBulk && (
        <Suspense>
          <BulkProgress />
        </Suspense>
      )}
      <DialogHost />
      <PaletteHost />
      <ToastRegion />
    </QueryClientProvider>
  );
}

const SLIDE_MS = 200;

/** Under 1024 px: the name, and the button that opens the sidebar as a drawer. */
function TopBar() {
  const [isOpen, setOpen] = useState(false);
  const [isFilled, setFilled] = useState(false);
  const { key } = useLocation();
  const [openedAt, setOpenedAt] = useState(key);
  // On another page, by Back too, the drawer does not lie over it.
  if (key !== openedAt) {
    setOpenedAt(key);
    setOpen(false);
  }

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

/** The condition that keeps every post from being published, on every page. */
function ServiceStrip() {
  const { data } = useEngine();
  const trouble = data && troubleOf(data);
  if (data === undefined || !trouble) return null;
  return (
    <Suspense>
      <StripLine state={data} trouble={trouble} />
    </Suspense>
  );
}

function troubleOf(state: EngineState): StripLineProps['trouble'] | null {
  if (state.isSuspended) {
    const words = 'Service suspended';
    return { words, since: state.suspendedAt, to: paths.settings, label: 'Settings' };
  }
  if (state.isAlive || !state.isExpected) return null;
  const engine = { to: paths.engine, label: 'Engine' };
  return state.workers.some(({ isAlive, clockOffMs }) => isAlive && clockOffMs)
    ? { words: 'A wrong clock stops the engine', since: null, ...engine }
    : { words: 'No engine is running', since: state.lastSeenAt, ...engine };
}

/** One line under the top edge, in the padding of the page: it comes and goes without a shift. */
function OfflineNotice() {
  if (useOnline()) return null;
  return (
    <output className="@container sticky top-14 z-20 block h-0 lg:top-0">
      <span
        className={cx(
          'flex h-6 items-center justify-center px-4 text-xs font-medium whitespace-nowrap forced-colors:border-b',
          TONE_CLASS.amber,
        )}
      >
        You are offline. Changes cannot be saved.
        <span className="@max-xl:sr-only">&nbsp;What you see may be out of date.</span>
      </span>
    </output>
  );
}
