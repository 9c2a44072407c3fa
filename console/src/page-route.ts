import { type ComponentType, createElement } from 'react';
import { matchRoutes, parsePath, type RouteObject } from 'react-router';
import { startEarly } from './api/early-answers.ts';
import { getSession } from './auth/session.ts';
import type { Prefetch } from './components/navigation/prefetch.ts';
import { argsOf, type Place, type PlainRead } from './components/navigation/reads.ts';

type PageModule<Name extends string> = { readonly [K in Name]: ComponentType } & {
  readonly prefetch?: Prefetch;
};

interface PageHandle {
  /** Sends the reads, whose answers wait for the page. */
  read: (place: Place) => void;
  /** Loads the code, and sends the reads at the same time. */
  prefetch: (place: Place, route: RouteObject) => Promise<void>;
}

/** A page whose code comes when it is opened, or when a link to it is about to be pressed. */
export function page<Name extends string>(
  name: Name,
  load: () => Promise<PageModule<Name>>,
  reads: readonly PlainRead[] = [],
): Pick<RouteObject, 'lazy' | 'handle'> {
  let loaded: PageModule<Name> | undefined;
  const handle: PageHandle = {
    read: (place) => {
      for (const read of reads) {
        const args = argsOf(read, place);
        if (args !== null) startEarly(read.endpoint, args);
      }
    },
    prefetch: async (place, route) => {
      if (loaded === undefined && isSignedIn()) handle.read(place);
      loaded ??= await load();
      // A lazy route is opened in two steps, of which the first shows nothing new. With its page at
      // hand it is a route like any other.
      if (route.lazy !== undefined) {
        route.element = createElement<object>(loaded[name]);
        delete route.lazy;
      }
      if (isSignedIn()) loaded.prefetch?.(place);
    },
  };
  return { lazy: async () => ({ Component: (await load())[name] }), handle };
}

/** Before the login only the code is worth having: the data would be refused. */
function isSignedIn(): boolean {
  return getSession().phase === 'signed-in';
}

function isPageHandle(handle: unknown): handle is PageHandle {
  return typeof handle === 'object' && handle !== null && 'prefetch' in handle;
}

function pagesAt(routes: RouteObject[], path: string): [PageHandle, Place, RouteObject][] {
  const { pathname = '/', search = '' } = parsePath(path);
  return (matchRoutes(routes, pathname) ?? []).flatMap(({ route, params }) =>
    isPageHandle(route.handle)
      ? [[route.handle, { params, search: new URLSearchParams(search) }, route]]
      : [],
  );
}

/** Asks for the data of the page at this address. Its code is the router's to load. */
export function readRoute(routes: RouteObject[], path: string): void {
  for (const [{ read }, place] of pagesAt(routes, path)) read(place);
}

/** Starts loading everything the page at this address needs. The routes are the router's own. */
export function prefetchRoute(routes: RouteObject[], path: string): void {
  for (const [{ prefetch }, place, route] of pagesAt(routes, path)) {
    prefetch(place, route).catch(() => {
      // Opening the page will say what is wrong.
    });
  }
}
