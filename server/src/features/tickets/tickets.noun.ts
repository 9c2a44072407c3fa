import type { QueryOf } from '@meridian/contract/endpoint';
import type { ticketExport } from '@meridian/contract/exports';
import { sql } from '../../db/sql.ts';
import { orderBy } from '../../lists/keyset.ts';
import { counted, LARGEST_BATCH, refuse } from '../noun.ts';
import type { ExportSource, Noun, Rows } from '../noun.ts';
import {
  countRedemptionsLeft,
  findMatches,
  isOfStatus,
  ISSUER,
  LATEST,
  STATUS,
} from './tickets.store.ts';

const ROWS: Rows = {
  table: sql`tickets`,
  state: sql`case when t.redemption_count > 0 and t.status = 'UNUSED' then 'ACTIVE' else ${STATUS} end`,
  example: sql`t.code as label`,
  joins: sql.empty,
  notFound: 'ticket_not_found',
  matching: async (db, { tickets = {} }) => {
    const { status, search = '' } = tickets;
    const found = search === '' ? sql`tickets` : sql`(${await findMatches(db, search)})`;
    return sql`select t.id from ${found} as t where ${isOfStatus(status)}`;
  },
};

export const ticketNoun = {
  topics: ['tickets'],
  consequences: {
    async ticketRevoke(db, id) {
      const left = await countRedemptionsLeft(db, id);
      if (left === undefined) return [];
      if (left === 0) return ['It has been redeemed as often as it can be.'];
      const times = left === null ? 'any number of times' : counted(left, 'time', 'times');
      return [`It could still be redeemed ${times}.`];
    },
  },
  found: {
    select: sql`
      select 'ticket' as kind, t.id, t.code as title, p.name || ' · ' || ${STATUS} as detail
      from tickets t join plans p on p.id = t.plan_id`,
    id: sql`t.id`,
  },
  file: fileOf,
  many: {
    ticketRevoke: {
      rows: ROWS,
      batch: LARGEST_BATCH,
      state: ROWS.state,
      was: sql`jsonb_build_object('status', t.status)`,
      refusal: (state) => (state === 'UNUSED' ? null : refuse('ticket_not_revocable')),
      change: (ids) => sql`
        update tickets set status = 'REVOKED', updated_at = now() where id = any(${ids}::uuid[])`,
      sentences: ({ count }) => [
        `${counted(count, 'ticket', 'tickets')} can no longer be redeemed. This cannot be undone.`,
      ],
    },
  },
} satisfies Noun;

function fileOf({ status, search }: Omit<QueryOf<typeof ticketExport>, 'format'>): ExportSource {
  return async (tx) => {
    const matches = search ? await findMatches(tx, search) : null;
    return sql`
      select t.id, t.code, ${STATUS} as status, p.name as plan, p.tier, a.username as issuer, t.memo,
        t.valid_days, t.redemption_count, t.max_redemptions, t.issued_at, t.redemption_deadline,
        t.updated_at, t.limits_override
      from tickets t ${ISSUER} join plans p on p.id = t.plan_id
      where ${isOfStatus(status)}
        and ${matches === null ? sql`true` : sql`t.id in (select id from (${matches}) as matches)`}
      order by ${orderBy(LATEST)}`;
  };
}
