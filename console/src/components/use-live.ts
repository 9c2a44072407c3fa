import { useEffect } from 'react';
import { getSession } from '../auth/session.ts';
import { useIsMeridian } from '../auth/use-is-meridian.ts';
import { useLater } from './use-later.ts';

function eventIdOfPage(): string | undefined {
  const session = getSession();
  return session.phase === 'signed-in' ? session.admin.eventId : undefined;
}

/** Keeps what is in sight up to date, where the server says what has changed. */
export function useLive(): void {
  const isDue = useLater(useIsMeridian());
  // A connection is no part of any component.
  useEffect(() => {
    if (!isDue) return undefined;
    const stopped = new AbortController();
    import('../api/live.ts').then(
      ({ runLive }) => runLive(stopped.signal, eventIdOfPage()),
      () => {
        // Without the code nothing is refreshed; the next page load tries again.
      },
    );
    return () => stopped.abort();
  }, [isDue]);
}
