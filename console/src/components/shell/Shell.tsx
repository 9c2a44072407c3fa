import { QueryClientProvider } from '@tanstack/react-query';
import { useRef } from 'react';
import { Outlet, useNavigation } from 'react-router';
import { queryClient } from '../../api/query-client.ts';
import { onSessionEnd } from '../../api/session-end.ts';
import { cx } from '../../ui/cx.ts';
import { SkipLink } from '../../ui/SkipLink.tsx';
import { clearToasts } from '../../ui/toast-store.ts';
import { ToastRegion } from '../../ui/ToastRegion.tsx';
import { DialogHost } from '../dialogs/DialogHost.tsx';
import { useVisits } from '../navigation/use-visits.ts';
import { forgetVisits } from '../navigation/visits.ts';
import { useFilterShortcut } from '../use-filter-shortcut.ts';
import { OfflineNotice } from './OfflineNotice.tsx';
import { ServiceStrip } from './ServiceStrip.tsx';
import { SidebarContent } from './SidebarContent.tsx';
import { TopBar } from './TopBar.tsx';
import { usePageFocus } from './use-page-focus.ts';

onSessionEnd(clearToasts);
onSessionEnd(forgetVisits);

/** The frame around every page behind the login. */
export function Shell() {
  const main = useRef<HTMLElement>(null);
  const { location: next } = useNavigation();
  usePageFocus(main);
  useVisits();
  useFilterShortcut();
  return (
    <QueryClientProvider client={queryClient}>
      <SkipLink />
      <div className="lg:grid lg:grid-cols-[15rem_minmax(0,1fr)]">
        <header
          data-print="hide"
          className="sticky top-0 hidden h-dvh flex-col overflow-y-auto border-e border-border lg:flex"
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
              'mx-auto max-w-[85rem] px-4 pt-6 pb-16 transition-opacity sm:px-6 lg:px-10 lg:pt-7',
              // Old content stays, dimmed, while the code of the next page is on its way.
              next !== undefined && 'opacity-60 delay-150',
            )}
          >
            <Outlet />
          </main>
        </div>
      </div>
      <DialogHost />
      <ToastRegion />
    </QueryClientProvider>
  );
}
