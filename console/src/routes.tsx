import type { ComponentType } from 'react';
import {
  matchRoutes,
  type NonIndexRouteObject,
  type Params,
  parsePath,
  redirect,
  type RouteObject,
} from 'react-router';
import type { LoaderArgs } from '@meridian/ui/api/query.ts';
import { getToken } from './access.ts';
import { LoadingScreen, RootLayout, RouteError } from './components/screens.tsx';
import { paths, patterns } from './paths.ts';
import { GuestOnly, RequireSession } from './session.tsx';

/** The exports of a page's module. */
interface Page {
  Component: ComponentType;
  /** Starts the first reads of the page; the page shows its skeleton meanwhile, and the error if they fail. */
  loader?: (args: LoaderArgs) => void;
}

interface PageRoute extends NonIndexRouteObject {
  start: (params: Params, search: string) => Promise<Page>;
}

/** A second import() of a loaded module still takes a task, in which the old page would be dimmed. */
function once<T>(load: () => Promise<T>): () => Promise<T> {
  let loading: Promise<T> | undefined;
  return () => {
    loading ??= load().catch((error: unknown) => {
      loading = undefined;
      throw error;
    });
    return loading;
  };
}

/** A page is loaded, and its reads are started, when it is opened or its link is about to be. */
function page(path: string, load: () => Promise<Page>): PageRoute {
  const loadOnce = once(load);
  async function start(params: Params, search: string) {
    const loaded = await loadOnce();
    const [id = ''] = Object.values(params);
    // Before the login the requests would be refused.
    if (getToken() !== null) loaded.loader?.({ id, search: new URLSearchParams(search) });
    return loaded;
  }
  return {
    path,
    start,
    lazy: { Component: async () => (await loadOnce()).Component },
    loader: async ({ params, url }) => {
      await start(params, url.search);
      return null;
    },
  };
}

const pages = [
  page(paths.dashboard, () => import('./pages/dashboard/page.tsx')),
  page(paths.users, () => import('./pages/users/list.tsx')),
  page(patterns.user, () => import('./pages/users/detail.tsx')),
  page(paths.posts, () => import('./pages/posts/list.tsx')),
  page(patterns.post, () => import('./pages/posts/detail.tsx')),
  page(paths.tickets, () => import('./pages/tickets/list.tsx')),
  page(paths.ticketIssue, () => import('./pages/tickets/form.tsx')),
  page(patterns.ticket, () => import('./pages/tickets/detail.tsx')),
  page(paths.plans, () => import('./pages/plans/list.tsx')),
  page(paths.planCreate, async () => (await import('./pages/plans/form.tsx')).create),
  page(patterns.planEdit, async () => (await import('./pages/plans/form.tsx')).edit),
  page(paths.settings, () => import('./pages/settings/page.tsx')),
  page(paths.currencyCreate, async () => (await import('./pages/currencies/form.tsx')).create),
  page(patterns.currencyEdit, async () => (await import('./pages/currencies/form.tsx')).edit),
  page(paths.password, () => import('./pages/password/page.tsx')),
  page(paths.engine, () => import('./pages/engine/page.tsx')),
  page(paths.audit, () => import('./pages/audit/list.tsx')),
  page(paths.failures, () => import('./pages/failures/list.tsx')),
  page(paths.jobs, () => import('./pages/jobs/list.tsx')),
  page(patterns.job, () => import('./pages/jobs/detail.tsx')),
  page('*', async () => ({
    Component: (await import('./components/NotFoundPage.tsx')).NotFoundPage,
  })),
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
        children: [page(paths.login, () => import('./pages/login/page.tsx'))],
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

/** Loads the code of the page at this address and starts its reads. Opening the page shows an error. */
export function preload(path: string): void {
  loadShell().catch(() => {});
  const { pathname = '/', search = '' } = parsePath(path);
  for (const { route, params } of matchRoutes(pages, pathname) ?? []) {
    route.start(params, search).catch(() => {});
  }
}
