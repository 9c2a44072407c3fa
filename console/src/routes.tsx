import { redirect, type RouteObject } from 'react-router';
import { GuestOnly, RequireSession } from './session.tsx';
import { LoadingScreen, RootLayout, RouteError } from './components/screens.tsx';
import { once, page, preloadPage } from './page-route.ts';
import { paths, patterns } from './paths.ts';

const pages = [
  page(
    paths.dashboard,
    async () => (await import('./pages/dashboard/page.tsx')).DashboardPage,
    'dashboard',
  ),
  page(paths.users, async () => (await import('./pages/users/list.tsx')).UsersPage, 'users'),
  page(patterns.user, async () => (await import('./pages/users/detail.tsx')).UserPage, 'user'),
  page(paths.posts, async () => (await import('./pages/posts/list.tsx')).PostsPage, 'posts'),
  page(patterns.post, async () => (await import('./pages/posts/detail.tsx')).PostPage, 'post'),
  page(
    paths.tickets,
    async () => (await import('./pages/tickets/list.tsx')).TicketsPage,
    'tickets',
  ),
  page(
    paths.ticketIssue,
    async () => (await import('./pages/tickets/form.tsx')).TicketIssuePage,
    'ticketIssue',
  ),
  page(
    patterns.ticket,
    async () => (await import('./pages/tickets/detail.tsx')).TicketPage,
    'ticket',
  ),
  page(paths.plans, async () => (await import('./pages/plans/list.tsx')).PlansPage, 'plans'),
  page(
    paths.planCreate,
    async () => (await import('./pages/plans/form.tsx')).PlanCreatePage,
    'planCreate',
  ),
  page(
    patterns.planEdit,
    async () => (await import('./pages/plans/form.tsx')).PlanEditPage,
    'planEdit',
  ),
  page(
    paths.settings,
    async () => (await import('./pages/settings/page.tsx')).SettingsPage,
    'settings',
  ),
  page(
    paths.currencyCreate,
    async () => (await import('./pages/currencies/form.tsx')).CurrencyCreatePage,
  ),
  page(
    patterns.currencyEdit,
    async () => (await import('./pages/currencies/form.tsx')).CurrencyEditPage,
    'currencyEdit',
  ),
  page(paths.password, async () => (await import('./pages/password/page.tsx')).PasswordPage),
  page(paths.engine, async () => (await import('./pages/engine/page.tsx')).EnginePage, 'engine'),
  page(paths.audit, async () => (await import('./pages/audit/list.tsx')).AuditPage),
  page(
    paths.failures,
    async () => (await import('./pages/failures/list.tsx')).FailuresPage,
    'failures',
  ),
  page(paths.jobs, async () => (await import('./pages/jobs/list.tsx')).JobsPage),
  page(patterns.job, async () => (await import('./pages/jobs/detail.tsx')).JobPage),
  page('*', async () => (await import('./components/NotFoundPage.tsx')).NotFoundPage),
];

const loadShell = once(async () => (await import('./components/Shell.tsx')).Shell);

export const routes: RouteObject[] = [
  {
    Component: RootLayout,
    ErrorBoundary: RouteError,
    HydrateFallback: LoadingScreen,
    children: [
      {
        Component: GuestOnly,
        children: [
          page(paths.login, async () => (await import('./pages/login/page.tsx')).LoginPage),
        ],
      },
      {
        Component: RequireSession,
        children: [
          {
            lazy: { Component: loadShell },
            // A page that breaks leaves the frame around it standing.
            children: [
              {
                ErrorBoundary: RouteError,
                children: [
                  ...pages,
                  { path: paths.currenciesAlias, loader: () => redirect(paths.currencies) },
                ],
              },
            ],
          },
        ],
      },
    ],
  },
];

/** Loads the code of the page at this address and starts its reads. */
export function preload(path: string): void {
  loadShell().catch(() => {
    // Opening a page shows the error.
  });
  preloadPage(pages, path);
}
