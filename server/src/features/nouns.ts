import type { AUDIT_ACTIONS, AuditAction, AuditEntity } from '@meridian/contract/audit-actions';
import type { BulkAction } from '@meridian/contract/bulk';
import type { ConsequenceOf } from '@meridian/contract/consequences';
import { assignmentNoun } from './assignments/assignments.noun.ts';
import { currencyNoun } from './currencies/currencies.noun.ts';
import type { ManyAction, Noun, Reversal, Sentences } from './noun.ts';
import { planNoun } from './plans/plans.noun.ts';
import { postNoun } from './posts/posts.noun.ts';
import { settingsNoun } from './settings/settings.noun.ts';
import { ticketNoun } from './tickets/tickets.noun.ts';
import { userNoun } from './users/users.noun.ts';

/** The entities of actions that the contract calls reversible. */
type Reversible = {
  [Name in AuditAction]: (typeof AUDIT_ACTIONS)[Name] extends { final: null; entity: infer Entity }
    ? Entity & AuditEntity
    : never;
}[AuditAction];

/** Every noun by its name in the audit log. */
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

/** Undefined for an entity that only an earlier version knows. */
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

export const CONSEQUENCES: Readonly<Record<ConsequenceOf, Sentences>> = {
  ...NOUNS.plan.consequences,
  ...NOUNS.currency.consequences,
  ...NOUNS.user.consequences,
  ...NOUNS.ticket.consequences,
  ...NOUNS.settings.consequences,
};
