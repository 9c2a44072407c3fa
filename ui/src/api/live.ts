import { createParser } from 'eventsource-parser';
import { EVENT_HEARTBEAT_SECONDS, EVENT_TOPICS, eventStream } from '@meridian/contract/events';
import { request } from './call.ts';
import { ApiError } from './errors.ts';

export interface Refresher {
  /** Reads what is in sight of these topics again, soon; what is not in sight when it is opened. */
  add: (topics: readonly string[]) => void;
}

/** Without a stream everything in sight is read again this often. */
const POLL_MS = 30_000;
/** Two heartbeats were missed. */
const SILENT_MS = (2 * EVENT_HEARTBEAT_SECONDS + 5) * 1_000;
const RETRY_MS = 1_000;
const RETRY_MAX_MS = 30_000;

/**
 * Follows the stream of events and refreshes what is in sight, until the signal is aborted. The stream
 * is open only while the page is visible: a browser has few connections to one host, and every tab
 * would take one. Coming back, it resumes after the last event, so nothing is missed; the first time
 * it begins where the page was when the session was confirmed.
 */
export async function runLive(
  refresher: Refresher,
  signal: AbortSignal,
  pageEventId?: string,
): Promise<void> {
  let lastEventId = pageEventId;
  let isOpen = false;
  let failures = 0;

  const poll = setInterval(() => {
    if (!isOpen && document.visibilityState === 'visible') refresher.add(EVENT_TOPICS);
  }, POLL_MS);

  function onEvent({ id, data }: { id?: string | undefined; data: string }) {
    isOpen = true;
    failures = 0;
    lastEventId = id ?? lastEventId;
    refresher.add(topicsOf(data));
  }

  while (!signal.aborted) {
    if (document.visibilityState !== 'visible') {
      await pause(signal);
      continue;
    }
    try {
      await readEvents({ lastEventId, onEvent, signal: whileVisible(signal) });
    } catch (error) {
      // The session is over, which the next thing that the administrator does will show.
      if (error instanceof ApiError && error.status === 401) break;
      // Cut, refused or silent: tried again below.
    }
    isOpen = false;
    // The page went out of sight: it is resumed at once when it comes back.
    if (document.visibilityState !== 'visible') continue;
    failures += 1;
    const longest = Math.min(RETRY_MS * 2 ** (failures - 1), RETRY_MAX_MS);
    // Not all consoles at the same moment after a restart of the server.
    await pause(signal, longest * (0.5 + Math.random() / 2));
  }
  clearInterval(poll);
}

interface EventReading {
  lastEventId: string | undefined;
  onEvent: (event: { id?: string | undefined; data: string }) => void;
  signal: AbortSignal;
}

/** Ends with the stream; throws when it is cut, refused or silent for too long. */
async function readEvents({ lastEventId, onEvent, signal }: EventReading): Promise<void> {
  const silence = new AbortController();
  const headers = {
    Accept: 'text/event-stream',
    ...(lastEventId !== undefined && { 'Last-Event-ID': lastEventId }),
  };
  const { body } = await request(
    eventStream,
    { headers },
    {
      isLong: true,
      signal: AbortSignal.any([signal, silence.signal]),
      endsSession: () => false,
    },
  );
  if (body === null) throw new ApiError({ status: 0, message: '' });
  const parser = createParser({ onEvent });
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  for (;;) {
    const timer = setTimeout(() => silence.abort(), SILENT_MS);
    const { done, value } = await reader.read().finally(() => clearTimeout(timer));
    if (done) return;
    parser.feed(value);
  }
}

/** The topics of an event; none of one that cannot be read. */
function topicsOf(data: string): string[] {
  try {
    const { topics } = JSON.parse(data) as { topics?: unknown };
    return Array.isArray(topics) ? topics.map(String) : [];
  } catch {
    return [];
  }
}

function whileVisible(signal: AbortSignal): AbortSignal {
  const hidden = new AbortController();
  const onChange = () => {
    if (document.visibilityState !== 'visible') hidden.abort();
  };
  document.addEventListener('visibilitychange', onChange, { signal: hidden.signal });
  return AbortSignal.any([signal, hidden.signal]);
}

/** Until the page comes into sight or leaves it, the time has passed, or the signal is aborted. */
function pause(signal: AbortSignal, ms?: number): Promise<void> {
  return new Promise((resolve) => {
    if (ms !== undefined) setTimeout(resolve, ms);
    document.addEventListener('visibilitychange', () => resolve(), { once: true, signal });
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
