import { redirect, type RouteObject } from 'react-router';
import { GuestOnly } from './auth/GuestOnly.tsx';
import { RequireSession } from './auth/RequireSession.tsx';
import { LoadingScreen } from './components/LoadingScreen.tsx';
import { RootLayout } from './components/RootLayout.tsx';
import { RouteError } from './components/RouteError.tsx';
import { page } from './page-route.ts';
import { paths, patterns } from './paths.ts';

const pages: RouteObject[] = [
  {
    path: paths.dashboard,
    ...page('DashboardPage', () => import('./pages/dashboard/DashboardPage.tsx')),
  },
  { path: paths.users, ...page('UsersPage', () => import('./pages/users/UsersPage.tsx')) },
  { path: patterns.user, ...page('UserPage', () => import('./pages/users/UserPage.tsx')) },
  { path: paths.posts, ...page('PostsPage', () => import('./pages/posts/PostsPage.tsx')) },
  { path: patterns.post, ...page('PostPage', () => import('./pages/posts/PostPage.tsx')) },
  { path: paths.tickets, ...page('TicketsPage', () => import('./pages/tickets/TicketsPage.tsx')) },
  {
    path: paths.ticketIssue,
    ...page('TicketIssuePage', () => import('./pages/tickets/TicketIssuePage.tsx')),
  },
  { path: patterns.ticket, ...page('TicketPage', () => import('./pages/tickets/TicketPage.tsx')) },
  { path: paths.plans, ...page('PlansPage', () => import('./pages/plans/PlansPage.tsx')) },
  {
    path: paths.planCreate,
    ...page('PlanCreatePage', () => import('./pages/plans/PlanCreatePage.tsx')),
  },
  {
    path: patterns.planEdit,
    ...page('PlanEditPage', () => import('./pages/plans/PlanEditPage.tsx')),
  },
  {
    path: paths.settings,
    ...page('SettingsPage', () => import('./pages/settings/SettingsPage.tsx')),
  },
  {
    path: paths.currencyCreate,
    ...page('CurrencyCreatePage', () => import('./pages/currencies/CurrencyCreatePage.tsx')),
  },
  {
    path: patterns.currencyEdit,
    ...page('CurrencyEditPage', () => import('./pages/currencies/CurrencyEditPage.tsx')),
  },
  {
    path: paths.password,
    ...page('PasswordPage', () => import('./pages/password/PasswordPage.tsx')),
  },
  { path: paths.currenciesAlias, loader: () => redirect(paths.currencies) },
  { path: '*', ...page('NotFoundPage', () => import('./pages/not-found/NotFoundPage.tsx')) },
];

export const routes: RouteObject[] = [
  {
    Component: RootLayout,
    ErrorBoundary: RouteError,
    HydrateFallback: LoadingScreen,
    children: [
      {
        Component: GuestOnly,
        children: [
          { path: paths.login, ...page('LoginPage', () => import('./pages/login/LoginPage.tsx')) },
        ],
      },
      {
        Component: RequireSession,
        children: [
          {
            ...page('Shell', () => import('./components/shell/Shell.tsx')),
            // A page that breaks leaves the frame around it standing.
            children: [{ ErrorBoundary: RouteError, children: pages }],
          },
        ],
      },
    ],
  },
];
