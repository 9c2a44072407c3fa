import { EVENT_HEARTBEAT_SECONDS } from '@meridian/contract/events';
import { createParser } from 'eventsource-parser';
import { ApiError } from './api-error.ts';

/** Two heartbeats were missed. */
const SILENT_MS = (2 * EVENT_HEARTBEAT_SECONDS + 5) * 1_000;
const RETRY_MS = 1_000;
const RETRY_MAX_MS = 30_000;

export interface Following {
  signal: AbortSignal;
  /** Where the page stands before the first event. */
  lastEventId?: string | undefined;
  /** Sends the request. Throws an ApiError for everything but success. */
  open: (headers: Record<string, string>, signal: AbortSignal) => Promise<Response>;
  onTopics: (topics: string[]) => void;
  /** There is no stream any more; it is tried again. */
  onCut: () => void;
}

/**
 * Follows a stream of events until the signal is aborted or the session is over. The stream is open
 * only while the page is visible: a browser has few connections to one host, and every tab would take
 * one. Coming back, it resumes after the last event, so nothing is missed.
 */
export async function followEvents(following: Following): Promise<void> {
  const { signal, open, onTopics, onCut } = following;
  let { lastEventId } = following;
  let failures = 0;

  function onEvent({ id, data }: { id?: string | undefined; data: string }) {
    failures = 0;
    lastEventId = id ?? lastEventId;
    onTopics(topicsOf(data));
  }

  while (!signal.aborted) {
    if (document.visibilityState !== 'visible') {
      await pause(signal);
      continue;
    }
    try {
      await readEvents(open, lastEventId, onEvent, whileVisible(signal));
    } catch (error) {
      // Cut, refused or silent: tried again below, unless the session is over.
      if (error instanceof ApiError && error.status === 401) return;
    } finally {
      onCut();
    }
    // The page went out of sight: it is resumed at once when it comes back.
    if (document.visibilityState !== 'visible') continue;
    failures += 1;
    const longest = Math.min(RETRY_MS * 2 ** (failures - 1), RETRY_MAX_MS);
    // Not all pages at the same moment after a restart of the server.
    await pause(signal, longest * (0.5 + Math.random() / 2));
  }
}

/** Ends with the stream; throws when it is cut, refused or silent for too long. */
async function readEvents(
  open: Following['open'],
  lastEventId: string | undefined,
  onEvent: (event: { id?: string | undefined; data: string }) => void,
  signal: AbortSignal,
): Promise<void> {
  const silence = new AbortController();
  const headers = {
    Accept: 'text/event-stream',
    ...(lastEventId !== undefined && { 'Last-Event-ID': lastEventId }),
  };
  const response = await open(headers, AbortSignal.any([signal, silence.signal]));
  if (response.body === null) return;
  const parser = createParser({ onEvent });
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  for (;;) {
    const timer = setTimeout(() => silence.abort(), SILENT_MS);
    const { done, value } = await reader.read().finally(() => clearTimeout(timer));
    if (done) return;
    parser.feed(value);
  }
}

/** What another server sends may be anything. */
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
