import { redirect, type RouteObject } from 'react-router';
import { GuestOnly } from './auth/GuestOnly.tsx';
import { RequireSession } from './auth/RequireSession.tsx';
import { LoadingScreen } from './components/LoadingScreen.tsx';
import { RootLayout } from './components/RootLayout.tsx';
import { RouteError } from './components/RouteError.tsx';
import { once, page, preloadPage } from './page-route.ts';
import { paths, patterns } from './paths.ts';

const pages = [
  page(
    paths.dashboard,
    async () => (await import('./pages/dashboard/DashboardPage.tsx')).DashboardPage,
    'dashboard',
  ),
  page(paths.users, async () => (await import('./pages/users/UsersPage.tsx')).UsersPage, 'users'),
  page(patterns.user, async () => (await import('./pages/users/UserPage.tsx')).UserPage, 'user'),
  page(paths.posts, async () => (await import('./pages/posts/PostsPage.tsx')).PostsPage, 'posts'),
  page(patterns.post, async () => (await import('./pages/posts/PostPage.tsx')).PostPage, 'post'),
  page(
    paths.tickets,
    async () => (await import('./pages/tickets/TicketsPage.tsx')).TicketsPage,
    'tickets',
  ),
  page(
    paths.ticketIssue,
    async () => (await import('./pages/tickets/TicketIssuePage.tsx')).TicketIssuePage,
    'ticketIssue',
  ),
  page(
    patterns.ticket,
    async () => (await import('./pages/tickets/TicketPage.tsx')).TicketPage,
    'ticket',
  ),
  page(paths.plans, async () => (await import('./pages/plans/PlansPage.tsx')).PlansPage, 'plans'),
  page(
    paths.planCreate,
    async () => (await import('./pages/plans/PlanCreatePage.tsx')).PlanCreatePage,
    'planCreate',
  ),
  page(
    patterns.planEdit,
    async () => (await import('./pages/plans/PlanEditPage.tsx')).PlanEditPage,
    'planEdit',
  ),
  page(
    paths.settings,
    async () => (await import('./pages/settings/SettingsPage.tsx')).SettingsPage,
    'settings',
  ),
  page(
    paths.currencyCreate,
    async () => (await import('./pages/currencies/CurrencyCreatePage.tsx')).CurrencyCreatePage,
  ),
  page(
    patterns.currencyEdit,
    async () => (await import('./pages/currencies/CurrencyEditPage.tsx')).CurrencyEditPage,
    'currencyEdit',
  ),
  page(
    paths.password,
    async () => (await import('./pages/password/PasswordPage.tsx')).PasswordPage,
  ),
  page(
    paths.engine,
    async () => (await import('./pages/engine/EnginePage.tsx')).EnginePage,
    'engine',
  ),
  page(paths.audit, async () => (await import('./pages/audit/AuditPage.tsx')).AuditPage),
  page(
    paths.failures,
    async () => (await import('./pages/failures/FailuresPage.tsx')).FailuresPage,
    'failures',
  ),
  page(paths.jobs, async () => (await import('./pages/jobs/JobsPage.tsx')).JobsPage),
  page(patterns.job, async () => (await import('./pages/jobs/JobPage.tsx')).JobPage),
  page('*', async () => (await import('./components/NotFoundPage.tsx')).NotFoundPage),
];

const loadShell = once(async () => (await import('./components/shell/Shell.tsx')).Shell);

export const routes: RouteObject[] = [
  {
    Component: RootLayout,
    ErrorBoundary: RouteError,
    HydrateFallback: LoadingScreen,
    children: [
      {
        Component: GuestOnly,
        children: [
          page(paths.login, async () => (await import('./pages/login/LoginPage.tsx')).LoginPage),
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
