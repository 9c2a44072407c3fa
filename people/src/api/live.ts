import type { meEvents } from '@meridian/contract/me/events';
import { followEvents } from '../../../console/src/api/follow-events.ts';
import { accepted } from './call.ts';
import { readAgain, setLive } from './use-polled.ts';

export const EVENTS_PATH: (typeof meEvents)['path'] = '/api/me/events';

/** Reads what the page shows again whenever the server says so, until the signal is aborted. */
export async function runLive(signal: AbortSignal): Promise<void> {
  await followEvents({
    signal,
    open: async (headers, whileOpen) =>
      accepted(await fetch(EVENTS_PATH, { headers, cache: 'no-store', signal: whileOpen })),
    onTopics(topics) {
      setLive(true);
      if (topics.length > 0) readAgain();
    },
    onCut: () => setLive(false),
  });
}
