import type { AnswerOf } from '@meridian/contract/endpoint';
import type { meEvents } from '@meridian/contract/events';
import { readAgain, setLive } from './use-polled.ts';

export const EVENTS_PATH: (typeof meEvents)['path'] = '/api/me/events';

/** After a refusal, which the browser does not try again by itself as it does after a cut. */
const RETRY_MS = 30_000;

/**
 * Reads what the page shows again whenever the server says so; returns what ends it. The stream is open
 * only while the page is visible: a browser has few connections to one host, and every tab would take one.
 */
export function followEvents(): () => void {
  let source: EventSource | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function close() {
    clearTimeout(timer);
    source?.close();
    setLive(false);
  }
  function follow() {
    close();
    if (document.visibilityState !== 'visible') return;
    const opened = new EventSource(EVENTS_PATH);
    source = opened;
    opened.addEventListener('changed', ({ data }: MessageEvent<string>) => {
      setLive(true);
      const { topics } = JSON.parse(data) as AnswerOf<typeof meEvents>; // our own server's
      if (topics.length > 0) readAgain();
    });
    opened.addEventListener('error', () => {
      setLive(false);
      if (opened.readyState === EventSource.CLOSED) timer = setTimeout(follow, RETRY_MS);
    });
  }

  document.addEventListener('visibilitychange', follow);
  follow();
  return () => {
    document.removeEventListener('visibilitychange', follow);
    close();
  };
}
