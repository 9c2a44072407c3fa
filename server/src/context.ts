import { createAuditService } from './features/audit/audit.service.ts';
import { createInverses } from './features/audit/inverses.ts';
import { createEventHub } from './features/events/event-hub.ts';
import type { Foundation } from './foundation.ts';
import { createServices } from './services.ts';

/** What routes work with. */
export type Context = ReturnType<typeof createContext>;

export function createContext(foundation: Foundation) {
  const services = createServices(foundation);
  const { db, connection, log } = foundation;
  return {
    ...foundation,
    ...services,
    // Built on the services of the nouns.
    audit: createAuditService(db, createInverses(services)),
    events: createEventHub({ db, connection, log, sessions: services.sessions }),
  };
}
