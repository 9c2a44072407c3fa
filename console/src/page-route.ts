import type { ComponentType } from 'react';
import { matchRoutes, parsePath, type RouteObject } from 'react-router';
import { getSession } from './auth/session.ts';
import type { Prefetch, PrefetchArgs } from './components/navigation/prefetch.ts';

type PageModule<Name extends string> = { readonly [K in Name]: ComponentType } & {
  readonly prefetch?: Prefetch;
};

interface PageHandle {
  prefetch: (args: PrefetchArgs) => Promise<void>;
}

/** A page whose code comes when it is opened, or when a link to it is about to be pressed. */
export function page<Name extends string>(
  name: Name,
  load: () => Promise<PageModule<Name>>,
): Pick<RouteObject, 'lazy' | 'handle'> {
  const handle: PageHandle = {
    prefetch: async (args) => {
      const { prefetch } = await load();
      // Before the login only the code is worth having: the data would be refused.
      if (getSession().phase === 'signed-in') prefetch?.(args);
    },
  };
  return { lazy: async () => ({ Component: (await load())[name] }), handle };
}

function isPageHandle(handle: unknown): handle is PageHandle {
  return typeof handle === 'object' && handle !== null && 'prefetch' in handle;
}

/** Starts loading everything the page at this address needs. */
export function prefetchRoute(routes: RouteObject[], path: string): void {
  const { pathname = '/', search = '' } = parsePath(path);
  for (const { route, params } of matchRoutes(routes, pathname) ?? []) {
    if (!isPageHandle(route.handle)) continue;
    route.handle.prefetch({ params, search: new URLSearchParams(search) }).catch(() => {
      // Opening the page will say what is wrong.
    });
  }
}
