import { eventStream } from '@meridian/contract/events';
import type { FastifyInstance } from 'fastify';
import type { Database } from '../../db/database.ts';
import { register } from '../../http/register.ts';
import type { Actor } from '../../http/register.ts';
import type { SessionsService } from '../sessions/sessions.service.ts';
import {
  changedEvent,
  positionText,
  readPosition,
  serveEvents,
  topicsBetween,
  topicsSince,
} from './event-hub.ts';
import type { EventHub, Position } from './event-hub.ts';

type Services = { events: ReturnType<typeof createConsoleEvents>; eventHub: EventHub };

/** The scope has no admission limit: a stream takes no slot of the other calls. */
export function eventsRoutes(app: FastifyInstance, { events, eventHub }: Services): void {
  // Streams have to end before the server waits for open responses.
  app.addHook('preClose', () => eventHub.close());

  register(app, eventStream, ({ actor, ...exchange }) =>
    serveEvents(exchange, (lastEventId) => events.open(actor, lastEventId)),
  );
}

type Options = { db: Database; hub: EventHub; sessions: Pick<SessionsService, 'isLive'> };

export function createConsoleEvents({ db, hub, sessions }: Options) {
  let position: Position | null = null;

  const audience = hub.audience({
    maxStreams: 500,
    maxStreamsPerOwner: 16,
    isLive: (tokenHash) => sessions.isLive(tokenHash),

    async begin(stream, lastEventId) {
      const now = await readPosition(db);
      const topics = await topicsSince(db, lastEventId, now);
      position ??= now;
      stream.send(changedEvent(positionText(now), topics));
    },

    async tell(streams) {
      const now = await readPosition(db);
      const topics = await topicsBetween(db, position ?? now, now);
      position = now;
      if (topics.length === 0) return;
      const event = changedEvent(positionText(now), topics);
      for (const stream of streams) stream.send(event);
    },
  });

  return {
    open({ adminId, tokenHash }: Actor, lastEventId: string | undefined) {
      if (audience.size() === 0) position = null;
      return audience.open({ ownerId: adminId, tokenHash }, lastEventId);
    },

    async pageEventId(): Promise<string> {
      return positionText(await readPosition(db));
    },

    size: audience.size,
  };
}
