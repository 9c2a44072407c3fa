import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';
import { createBrowserRouter, type RouteObject } from 'react-router';
import { RouterProvider } from 'react-router/dom';
import { test as base, vi } from 'vitest';
import { commands, page } from 'vitest/browser';
import { TOKEN_STORAGE_KEY } from '@meridian/contract';
import { registerPrefetcher } from '@meridian/ui/links.tsx';
import { watchTheme } from '@meridian/ui/theme.tsx';
import { startAccess } from '../src/access.ts';
import { preload, routes } from '../src/routes.tsx';
import { startSession } from '../src/session.tsx';
import '../src/styles.css';
import { clock } from './hands.ts';
import { network, Server } from './server.ts';

/*
 * The console as `src/main.tsx` starts it, once for a file and mounted anew for every test. Its modules
 * stay loaded, so what they remember is emptied in the console's own way: between two tests the session
 * ends. Without StrictMode, which does nothing in the console that is built.
 */

const WIDE = { width: 1440, height: 900 };
let isStarted = false;
let isWide = true;
let unmount: () => void = () => {};
let entries = 0;
/** Of the page that runs the tests. */
const home = window.location.href;

interface Fixtures {
  server: Server;
}

export const test = base.extend<Fixtures>({
  server: [
    // oxlint-disable-next-line eslint/no-empty-pattern -- the test runner reads the fixtures from this pattern
    async ({}, provide) => {
      // A file before this one may have left something when its page was closed.
      clearStorage();
      const server = new Server();
      globalThis.fetch = server.fetch;
      const complaints = hearComplaints();
      await provide(server);
      await leave();
      globalThis.fetch = network;
      const all = [...server.complaints, ...complaints()];
      if (all.length > 0) throw new Error(all.join('\n'));
    },
    { auto: true },
  ],
});

/** Loads the console at an address: by a link from elsewhere, with a session. Again, it is a reload. */
export function open(server: Server, path: string): void {
  close();
  entries += 1;
  // A key of its own, as the router remembers scroll positions by it.
  history.pushState({ idx: 0, key: `test-${entries}`, usr: null }, '', path);
  localStorage.setItem(TOKEN_STORAGE_KEY, server.token);
  if (isStarted) tellStorageChanged();
  else start();
  const container = document.body.appendChild(document.createElement('div'));
  container.id = 'root';
  const router = createBrowserRouter(routes.map(copied));
  const root = createRoot(container);
  root.render(<RouterProvider router={router} />);
  unmount = () => {
    flushSync(() => root.unmount());
    router.dispose();
    container.remove();
  };
}

/** Unmounts the console, and ends the session, by which it forgets what it has read and shown. */
function close(): void {
  // The next page would otherwise take the focus over from the heading of this one.
  if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
  unmount();
  unmount = () => {};
  localStorage.removeItem(TOKEN_STORAGE_KEY);
  if (isStarted) tellStorageChanged();
}

/** The size of the window, until the test is over. */
export async function resize(width: number, height: number): Promise<void> {
  isWide = false;
  await page.viewport(width, height);
}

/** A router takes from a route what it has loaded, so each has a table of its own. */
function copied(route: RouteObject): RouteObject {
  const lazy = typeof route.lazy === 'object' ? { lazy: { ...route.lazy } } : {};
  return route.index
    ? { ...route, ...lazy }
    : { ...route, ...lazy, ...(route.children && { children: route.children.map(copied) }) };
}

function start(): void {
  isStarted = true;
  watchTheme();
  startAccess();
  startSession();
  registerPrefetcher(preload);
}

function clearStorage(): void {
  localStorage.clear();
  sessionStorage.clear();
}

/** A page is not told of what it stores itself. */
function tellStorageChanged(key: string | null = TOKEN_STORAGE_KEY): void {
  window.dispatchEvent(new StorageEvent('storage', { key }));
}

async function leave(): Promise<void> {
  close();
  await clock.release();
  history.replaceState(null, '', home);
  clearStorage();
  // The theme, too, follows the storage.
  tellStorageChanged(null);
  window.scrollTo(0, 0);
  await commands.restMouse();
  if (!isWide) await page.viewport(WIDE.width, WIDE.height);
  isWide = true;
}

/** Errors and warnings of the browser's console from now on. */
function hearComplaints(): () => string[] {
  const spies = (['error', 'warn'] as const).map((name) => vi.spyOn(console, name));
  return () =>
    spies.flatMap((spy) => {
      const heard = spy.mock.calls.map((words) => words.map(String).join(' '));
      spy.mockRestore();
      return heard;
    });
}
