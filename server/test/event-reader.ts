import { eventStream, meEvents } from '@meridian/contract/events';

export type ReceivedEvent = { id: string; topics: string[] };

export type EventReader = {
  status: number;
  /** The next event; fails when the stream ends before it. */
  next(): Promise<ReceivedEvent>;
  /** Events up to one that names the topic. */
  until(topic: string): Promise<ReceivedEvent[]>;
  /** Resolves when the server ends the stream. */
  ended: Promise<void>;
  /** Everything received so far. */
  events: ReceivedEvent[];
  close(): void;
};

/** Opens the stream of events of an administrator, of a listening server. */
export function openEvents(
  baseUrl: string,
  token: string,
  lastEventId?: string,
): Promise<EventReader> {
  const headers = { authorization: `Bearer ${token}` };
  return readEvents(new URL(eventStream.path, baseUrl), headers, lastEventId);
}

/** The same of a person who schedules, by the headers of the browser. */
export function openMemberEvents(
  baseUrl: string,
  headers: Record<string, string>,
  lastEventId?: string,
): Promise<EventReader> {
  return readEvents(new URL(meEvents.path, baseUrl), headers, lastEventId);
}

async function readEvents(
  url: URL,
  headers: Record<string, string>,
  lastEventId: string | undefined,
): Promise<EventReader> {
  const gone = new AbortController();
  const response = await fetch(url, {
    signal: gone.signal,
    headers: {
      accept: 'text/event-stream',
      ...headers,
      ...(lastEventId !== undefined && { 'last-event-id': lastEventId }),
    },
  });
  const events: ReceivedEvent[] = [];
  let taken = 0;
  let arrived = Promise.withResolvers<void>();
  let isOver = false;
  const ended = read();

  async function read(): Promise<void> {
    let text = '';
    try {
      const decoder = new TextDecoder();
      for await (const chunk of response.body ?? []) {
        text += decoder.decode(chunk, { stream: true });
        const parts = text.split('\n\n');
        text = parts.pop() ?? '';
        events.push(...parts.flatMap(eventsOf));
        arrived.resolve();
      }
    } catch (error) {
      if (!gone.signal.aborted) throw error;
    } finally {
      isOver = true;
      arrived.resolve();
    }
  }

  async function next(): Promise<ReceivedEvent> {
    for (;;) {
      const event = events[taken];
      if (event !== undefined) {
        taken += 1;
        return event;
      }
      if (isOver) throw new Error('The stream has ended');
      arrived = Promise.withResolvers<void>();
      await arrived.promise;
    }
  }

  return {
    status: response.status,
    next,
    async until(topic) {
      const seen: ReceivedEvent[] = [];
      do seen.push(await next());
      while (seen.at(-1)?.topics.includes(topic) !== true);
      return seen;
    },
    ended,
    events,
    close: () => gone.abort(),
  };
}

/** Comments, which keep the connection alive, are no events. */
function eventsOf(block: string): ReceivedEvent[] {
  const [, id, data] = /^id: (.+)\nevent: changed\ndata: (.+)$/.exec(block) ?? [];
  if (id === undefined || data === undefined) return [];
  const { topics } = eventStream.answer.parse(JSON.parse(data));
  return [{ id, topics }];
}
