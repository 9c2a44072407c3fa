import { createConsoleEvents } from './features/events/console-events.ts';
import { createEventHub } from './features/events/event-hub.ts';
import { createMemberEvents } from './features/me/member-events.service.ts';
import type { Foundation } from './foundation.ts';
import { createServices } from './services.ts';

/** What routes work with. */
export type Context = ReturnType<typeof createContext>;

export function createContext(foundation: Foundation) {
  const services = createServices(foundation);
  const { db, connection, log } = foundation;
  const { sessions, memberSessions } = services;
  const eventHub = createEventHub({ connection, log });
  return {
    ...foundation,
    ...services,
    eventHub,
    events: createConsoleEvents({ db, hub: eventHub, sessions }),
    memberEvents: createMemberEvents({ db, hub: eventHub, sessions: memberSessions }),
  };
}
