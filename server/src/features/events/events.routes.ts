import { eventStream } from '@meridian/contract/events';
import type { FastifyInstance } from 'fastify';
import type { Database } from '../../db/database.ts';
import { register } from '../../http/register.ts';
import type { Actor } from '../../http/register.ts';
import type { SessionsService } from '../sessions/sessions.service.ts';
import * as store from './event-hub.ts';
import { changedEvent, serveEvents } from './event-hub.ts';
import type { EventHub, createEventHub } from './event-hub.ts';

/** In a scope without the admission limit: a stream takes no slot of the other calls. */
export function eventsRoutes(
  app: FastifyInstance,
  {
    events,
    eventHub,
  }: {
    events: ReturnType<typeof createConsoleEvents>;
    eventHub: ReturnType<typeof createEventHub>;
  },
): void {
  // Before the server waits for open responses.
  app.addHook('preClose', () => eventHub.close());

  register(app, eventStream, ({ actor, ...exchange }) =>
    serveEvents(exchange, (lastEventId) => events.open(actor, lastEventId)),
  );
}

type Options = { db: Database; hub: EventHub; sessions: Pick<SessionsService, 'isLive'> };

/** Tells administrators which topics have changed, for all of them the same. */
export function createConsoleEvents({ db, hub, sessions }: Options) {
  let position: store.Position | null = null;

  const audience = hub.audience({
    maxStreams: 500,
    maxStreamsPerOwner: 16,
    isLive: (tokenHash) => sessions.isLive(tokenHash),

    /** The first event says where the stream begins, and what changed since the page may have read it. */
    async begin(stream, lastEventId) {
      const now = await store.readPosition(db);
      const topics = await store.topicsSince(db, lastEventId, now);
      position ??= now;
      stream.send(changedEvent(store.positionText(now), topics));
    },

    async tell(streams) {
      const now = await store.readPosition(db);
      const topics = await store.topicsBetween(db, position ?? now, now);
      position = now;
      if (topics.length === 0) return;
      const event = changedEvent(store.positionText(now), topics);
      for (const stream of streams) stream.send(event);
    },
  });

  return {
    open({ adminId, tokenHash }: Actor, lastEventId: string | undefined) {
      // What changed while no stream was open concerns none.
      if (audience.size() === 0) position = null;
      return audience.open({ ownerId: adminId, tokenHash }, lastEventId);
    },

    /** For a page that has read nothing yet. */
    async pageEventId(): Promise<string> {
      return store.positionText(await store.readPosition(db));
    },

    size: audience.size,
  };
}
