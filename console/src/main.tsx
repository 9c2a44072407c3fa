import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { createBrowserRouter } from 'react-router';
import { RouterProvider } from 'react-router/dom';
import { getToken, startAccess } from './access.ts';
import { startSession } from './session.tsx';
import { registerPrefetcher } from '@meridian/ui/links.tsx';
import { paths } from './paths.ts';
import { preload, routes } from './routes.tsx';
import './styles.css';
import { watchTheme } from '@meridian/ui/theme.tsx';

const { origin, pathname, search, hash } = window.location;
if (getToken() === null && pathname !== paths.login) {
  // Decided before the router starts, so that a guest never loads a page only to leave it. The
  // way back is for sessions that ended in the middle of work: a login from nothing leads to /.
  window.history.replaceState(null, '', paths.login);
} else if (/.\/+$/u.test(pathname)) {
  // The router matches it, but the way back to a list and its filters are kept by the one address.
  // With the origin: a path may begin with two slashes.
  window.history.replaceState(null, '', origin + pathname.replace(/\/+$/u, '') + search + hash);
}

watchTheme();
startAccess();
startSession();
registerPrefetcher(preload);

const router = createBrowserRouter(routes);

const root = document.getElementById('root');
if (root === null) throw new Error('index.html has no #root');
createRoot(root).render(
  <StrictMode>
    <RouterProvider router={router} />
  </StrictMode>,
);
