import type { ConsequenceOf, consequenceGet } from '@meridian/contract/consequences';
import type { QueryOf } from '@meridian/contract/endpoint';
import type { Database } from '../../db/database.ts';
import { isUuid } from '../../http/uuid.ts';
import type { Sentences } from '../noun.ts';
import { NOUNS } from '../nouns.ts';

const OF: Record<ConsequenceOf, Sentences> = {
  ...NOUNS.plan.consequences,
  ...NOUNS.currency.consequences,
  ...NOUNS.user.consequences,
  ...NOUNS.ticket.consequences,
  ...NOUNS.settings.consequences,
};

export function createConsequencesService(db: Database) {
  return {
    /** Of something unknown there are none: the change itself says that it is unknown. */
    async get({ of, id = '' }: QueryOf<typeof consequenceGet>): Promise<string[]> {
      return of === 'closedBeta' || isUuid(id) ? OF[of](db, id) : [];
    },
  };
}
