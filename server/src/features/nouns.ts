import type { AUDIT_ACTIONS, AuditAction, AuditEntity } from '@meridian/contract/audit';
import type { BulkAction, ConsequenceOf } from '@meridian/contract/bulk';
import { consequenceGet } from '@meridian/contract/bulk';
import type { FastifyInstance } from 'fastify';
import type { Database } from '../db/database.ts';
import { isUuid, register } from '../http/register.ts';
import { assignmentNoun } from './assignments/assignments.ts';
import { currencyNoun } from './currencies/currencies.service.ts';
import type { ManyAction, Noun, Reversal, Sentences } from './noun.ts';
import { planNoun } from './plans/plans.service.ts';
import { postNoun } from './posts/posts.noun.ts';
import { settingsNoun } from './settings/settings.ts';
import { ticketNoun } from './tickets/tickets.service.ts';
import { userNoun } from './users/users.service.ts';

type Reversible = {
  [Name in AuditAction]: (typeof AUDIT_ACTIONS)[Name] extends { final: null; entity: infer Entity }
    ? Entity & AuditEntity
    : never;
}[AuditAction];

export const NOUNS = {
  post: postNoun,
  user: userNoun,
  assignment: assignmentNoun,
  ticket: ticketNoun,
  plan: planNoun,
  currency: currencyNoun,
  settings: settingsNoun,
  'access-keyword': { topics: ['settings'] },
  'bulk-change': { topics: ['jobs', 'posts', 'users', 'tickets'] },
  admin: { topics: [] },
  handover: { topics: [] },
  'api-token': { topics: [] },
  import: { topics: [] },
} as const satisfies Record<AuditEntity, Noun> & Record<Reversible, { reversal: Reversal }>;

export function nounOfEntry(entity: string): Noun | undefined {
  const nouns: Readonly<Partial<Record<string, Noun>>> = NOUNS;
  return nouns[entity];
}

export const ACTIONS: Readonly<Record<BulkAction, ManyAction>> = {
  ...NOUNS.post.many,
  ...NOUNS.user.many,
  ...NOUNS.ticket.many,
  ...NOUNS.assignment.many,
};

const CONSEQUENCES: Readonly<Record<ConsequenceOf, Sentences>> = {
  ...NOUNS.plan.consequences,
  ...NOUNS.currency.consequences,
  ...NOUNS.user.consequences,
  ...NOUNS.ticket.consequences,
  ...NOUNS.settings.consequences,
};

export function consequencesRoutes(app: FastifyInstance, { db }: { db: Database }): void {
  // A row that is not known has none: the change itself says that it is unknown.
  register(app, consequenceGet, async ({ query: { of, id = '' } }) => ({
    sentences: of === 'closedBeta' || isUuid(id) ? await CONSEQUENCES[of](db, id) : [],
  }));
}
