import { useEffect } from 'react';
import { createPath, type Location, Outlet, ScrollRestoration, useRouteError } from 'react-router';
import { Button, Spinner } from '@meridian/ui/Button.tsx';
import { buttonClass } from '@meridian/ui/classes.ts';
import { paths } from '../paths.ts';

/** Every visit begins with an entry of this name: by it alone one page would inherit another's place. */
const FIRST = 'default';

const placeOf = (location: Location) =>
  location.key === FIRST ? createPath(location) : location.key;

export function RootLayout() {
  return (
    <>
      <Outlet />
      <ScrollRestoration getKey={placeOf} />
    </>
  );
}

export function LoadingScreen() {
  return (
    <output className="flex min-h-dvh items-center justify-center gap-2.5 text-base text-muted">
      <Spinner />
      Loading...
    </output>
  );
}

export function RouteError() {
  const error = useRouteError();
  const isChunk = error instanceof Error && CHUNK_WORDS.test(error.message);
  // The browser does not try a failed import again when the network is back.
  useEffect(() => {
    if (!isChunk) return undefined;
    const reload = () => window.location.reload();
    window.addEventListener('online', reload);
    return () => window.removeEventListener('online', reload);
  }, [isChunk]);
  return (
    <div className="mx-auto flex max-w-lg flex-col items-center gap-3 px-4 py-24 text-center">
      <h1 className="text-xl">
        {isChunk ? 'This page could not be loaded' : 'Something went wrong'}
      </h1>
      <p className="text-base text-muted">
        {isChunk
          ? 'Meridian may have been updated since you opened it, or the connection was lost. Reload to get the current version.'
          : 'Something on this page failed. Anything you saved is safe.'}
      </p>
      <div className="mt-2 flex flex-wrap justify-center gap-2">
        <Button variant="primary" onClick={() => window.location.reload()}>
          Reload
        </Button>
        {/* A whole new start: whatever broke this page may live in memory. */}
        <a href={paths.dashboard} className={buttonClass()}>
          Go to Dashboard
        </a>
      </div>
    </div>
  );
}

/** Browsers say so when a part of the program cannot be fetched, as after a new release. */
const CHUNK_WORDS =
  /dynamically imported module|importing a module script failed|error loading dynamically|unable to preload css/i;
