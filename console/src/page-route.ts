import type { ComponentType } from 'react';
import { matchRoutes, type NonIndexRouteObject, type Params, parsePath } from 'react-router';
import { getToken } from '@meridian/ui/api/call.ts';
import type { loaders } from './loaders.ts';

export interface PageRoute extends NonIndexRouteObject {
  preload: (params: Params, search: string) => Promise<unknown>;
}

/** A second import() of a loaded module still takes a task, in which the old page would be dimmed. */
export function once<T>(load: () => Promise<T>): () => Promise<T> {
  let loading: Promise<T> | undefined;
  return () => {
    loading ??= load().catch((error: unknown) => {
      loading = undefined;
      throw error;
    });
    return loading;
  };
}

/** Not part of the entry script, which the login loads too. The document preloads it. */
const loadLoaders = once(() => import('./loaders.ts'));

async function startReads(name: keyof typeof loaders, params: Params, search: string) {
  // Before the login the requests would be refused.
  if (getToken() === null) return null;
  const [id = ''] = Object.values(params);
  (await loadLoaders()).loaders[name]({ id, search: new URLSearchParams(search) });
  return null;
}

/** A page whose code and reads are loaded together, when it is opened or its link is about to be. */
export function page(
  path: string,
  load: () => Promise<ComponentType>,
  loader?: keyof typeof loaders,
): PageRoute {
  const Component = once(load);
  if (loader === undefined) return { path, lazy: { Component }, preload: Component };
  return {
    path,
    lazy: { Component },
    loader: ({ params, url }) => startReads(loader, params, url.search),
    preload: (params, search) => Promise.all([Component(), startReads(loader, params, search)]),
  };
}

export function preloadPage(pages: PageRoute[], path: string): void {
  const { pathname = '/', search = '' } = parsePath(path);
  for (const { route, params } of matchRoutes(pages, pathname) ?? []) {
    route.preload(params, search).catch(() => {
      // Opening the page shows the error.
    });
  }
}
