import { EVENT_TOPICS, eventStream } from '@meridian/contract/events';
import { followEvents } from './follow-events.ts';
import { createRefresher } from './live-refresh.ts';
import { errorOfResponse } from './read-error.ts';
import { requestUrl } from './request-url.ts';
import { headersWith } from './send.ts';
import { getToken } from './token-store.ts';

/** Without a stream everything in sight is read again this often. */
const POLL_MS = 30_000;

/**
 * Follows the stream of events and refreshes what is in sight, until the signal is aborted. The first
 * time it begins where the page was when the session was confirmed.
 */
export async function runLive(signal: AbortSignal, pageEventId?: string): Promise<void> {
  const refresher = createRefresher(signal);
  let isOpen = false;

  const poll = setInterval(() => {
    if (!isOpen && document.visibilityState === 'visible') refresher.add(EVENT_TOPICS);
  }, POLL_MS);
  // The end of the session shows with the next thing that the administrator does.
  await followEvents({
    signal,
    lastEventId: pageEventId,
    async open(headers, whileOpen) {
      const response = await fetch(requestUrl(eventStream), {
        credentials: 'omit',
        cache: 'no-store',
        headers: headersWith(getToken(), headers),
        signal: whileOpen,
      });
      if (!response.ok) throw await errorOfResponse(response);
      return response;
    },
    onTopics(topics) {
      isOpen = true;
      refresher.add(topics);
    },
    onCut: () => {
      isOpen = false;
    },
  });
  clearInterval(poll);
}
