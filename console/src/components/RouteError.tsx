import { useEffect } from 'react';
import { useRouteError } from 'react-router';
import { paths } from '../paths.ts';
import { Button } from '../ui/Button.tsx';
import { buttonClass } from '../ui/button-class.ts';
import { isChunkError } from './chunk-error.ts';

/** In place of a page that broke. Everything around it goes on working. */
export function RouteError() {
  const isChunk = isChunkError(useRouteError());
  // Only the browser knows when the network is back, and a failed import is not tried again by it.
  useEffect(() => {
    if (!isChunk) return undefined;
    const reload = () => window.location.reload();
    window.addEventListener('online', reload);
    return () => window.removeEventListener('online', reload);
  }, [isChunk]);
  const title = isChunk ? 'This page could not be loaded' : 'Something went wrong';
  return (
    <div className="mx-auto flex max-w-lg flex-col items-center gap-3 px-4 py-24 text-center">
      <h1 className="text-xl">{title}</h1>
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
