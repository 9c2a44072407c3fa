import { QueryClientProvider } from '@tanstack/react-query';
import { lazy, Suspense, useRef } from 'react';
import { Outlet, useNavigation } from 'react-router';
import { queryClient } from '../../api/query-client.ts';
import { onSessionEnd } from '../../api/session-end.ts';
import { useIsMeridian } from '../../auth/use-is-meridian.ts';
import { cx } from '../../ui/cx.ts';
import { SkipLink } from '../../ui/SkipLink.tsx';
import { clearToasts } from '../../ui/toast-store.ts';
import { ToastRegion } from '../../ui/ToastRegion.tsx';
import { DialogHost } from '../dialogs/DialogHost.tsx';
import { restoreScrollAfterReload } from '../navigation/scroll-after-reload.ts';
import { useVisits } from '../navigation/use-visits.ts';
import { forgetVisits } from '../navigation/visits.ts';
import { PaletteHost } from '../palette/PaletteHost.tsx';
import { useLater } from '../use-later.ts';
import { useLive } from '../use-live.ts';
import { useFilterShortcut } from '../use-filter-shortcut.ts';
import { LeftOutNote } from './LeftOutNote.tsx';
import { OfflineNotice } from './OfflineNotice.tsx';
import { ServiceStrip } from './ServiceStrip.tsx';
import { SidebarContent } from './SidebarContent.tsx';
import { TopBar } from './TopBar.tsx';
import { useKeptFocus } from './use-kept-focus.ts';
import { usePageFocus } from './use-page-focus.ts';

onSessionEnd(clearToasts);
onSessionEnd(forgetVisits);
// Once per page load, by what the login does not need.
restoreScrollAfterReload();

/** Beside the page, so that a failure to load it leaves the page alone. */
const BulkProgress = lazy(async () => {
  const loaded = await import('../bulk/BulkProgress.tsx').catch(() => null);
  return { default: loaded?.BulkProgress ?? (() => null) };
});

/** The frame around every page behind the login. */
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
              // Old content stays, dimmed, while the code of the next page is on its way.
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
