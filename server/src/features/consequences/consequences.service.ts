import type { ConsequenceOf, consequenceGet } from '@meridian/contract/consequences';
import type { QueryOf } from '@meridian/contract/endpoint';
import type { Database } from '../../db/database.ts';
import { isUuid } from '../../http/uuid.ts';
import { counted, heldPosts } from '../bulk/bulk-consequences.ts';
import * as store from './consequences.store.ts';

type Sentences = (db: Database, id: string) => Promise<string[]>;

const OF: Record<ConsequenceOf, Sentences> = {
  planDeactivate: async (db, id) => {
    const { users, tickets } = await store.countOfPlan(db, id);
    return [
      ...(users > 0
        ? [
            `${counted(users, 'user has this plan and keeps it', 'users have this plan and keep it')}.`,
          ]
        : []),
      ...(tickets > 0
        ? [`${counted(tickets, 'ticket for it can', 'tickets for it can')} still be redeemed.`]
        : []),
    ];
  },
  currencyDeactivate: async (db, id) => {
    const found = await store.countOfCurrency(db, id);
    if (found === null || found.plans === 0) return [];
    const { code, plans, active } = found;
    if (plans === 1)
      return [`1 ${active === 1 ? 'active' : 'inactive'} plan has prices in ${code}.`];
    return [
      `${plans.toLocaleString('en-US')} plans have prices in ${code}, ${active} of them active.`,
    ];
  },
  userBlock: async (db, id) => [heldPosts(await store.countPendingPosts(db, id))],
  ticketRevoke: async (db, id) => {
    const left = await store.countRedemptionsLeft(db, id);
    if (left === undefined) return [];
    if (left === 0) return ['It has been redeemed as often as it can be.'];
    const times = left === null ? 'any number of times' : counted(left, 'time', 'times');
    return [`It could still be redeemed ${times}.`];
  },
  closedBeta: async (db) => {
    const { total, withKeyword } = await store.countAccess(db);
    return [
      `${counted(total, 'existing user keeps', 'existing users keep')} access; ${withKeyword.toLocaleString('en-US')} of them ${withKeyword === 1 ? 'has' : 'have'} an access keyword.`,
    ];
  },
};

export function createConsequencesService(db: Database) {
  return {
    /** Of something unknown there are none: the change itself says that it is unknown. */
    async get({ of, id = '' }: QueryOf<typeof consequenceGet>): Promise<string[]> {
      return of === 'closedBeta' || isUuid(id) ? OF[of](db, id) : [];
    },
  };
}
