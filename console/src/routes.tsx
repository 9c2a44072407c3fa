import { redirect, type RouteObject } from 'react-router';
import { GuestOnly } from './auth/GuestOnly.tsx';
import { RequireSession } from './auth/RequireSession.tsx';
import { LoadingScreen } from './components/LoadingScreen.tsx';
import { RootLayout } from './components/RootLayout.tsx';
import { RouteError } from './components/RouteError.tsx';
import { page } from './page-route.ts';
import { paths, patterns } from './paths.ts';
import { READS } from './reads.ts?built';

const pages: RouteObject[] = [
  {
    path: paths.dashboard,
    ...page('DashboardPage', () => import('./pages/dashboard/DashboardPage.tsx'), READS.dashboard),
  },
  {
    path: paths.users,
    ...page('UsersPage', () => import('./pages/users/UsersPage.tsx'), READS.users),
  },
  {
    path: patterns.user,
    ...page('UserPage', () => import('./pages/users/UserPage.tsx'), READS.user),
  },
  {
    path: paths.posts,
    ...page('PostsPage', () => import('./pages/posts/PostsPage.tsx'), READS.posts),
  },
  {
    path: patterns.post,
    ...page('PostPage', () => import('./pages/posts/PostPage.tsx'), READS.post),
  },
  {
    path: paths.tickets,
    ...page('TicketsPage', () => import('./pages/tickets/TicketsPage.tsx'), READS.tickets),
  },
  {
    path: paths.ticketIssue,
    ...page(
      'TicketIssuePage',
      () => import('./pages/tickets/TicketIssuePage.tsx'),
      READS.ticketIssue,
    ),
  },
  {
    path: patterns.ticket,
    ...page('TicketPage', () => import('./pages/tickets/TicketPage.tsx'), READS.ticket),
  },
  {
    path: paths.plans,
    ...page('PlansPage', () => import('./pages/plans/PlansPage.tsx'), READS.plans),
  },
  {
    path: paths.planCreate,
    ...page('PlanCreatePage', () => import('./pages/plans/PlanCreatePage.tsx'), READS.planCreate),
  },
  {
    path: patterns.planEdit,
    ...page('PlanEditPage', () => import('./pages/plans/PlanEditPage.tsx'), READS.planEdit),
  },
  {
    path: paths.settings,
    ...page('SettingsPage', () => import('./pages/settings/SettingsPage.tsx'), READS.settings),
  },
  {
    path: paths.currencyCreate,
    ...page('CurrencyCreatePage', () => import('./pages/currencies/CurrencyCreatePage.tsx')),
  },
  {
    path: patterns.currencyEdit,
    ...page(
      'CurrencyEditPage',
      () => import('./pages/currencies/CurrencyEditPage.tsx'),
      READS.currencyEdit,
    ),
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
