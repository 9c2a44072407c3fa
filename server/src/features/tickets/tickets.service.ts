import type { Assignment, PlanSummary } from '@meridian/contract/assignments';
import type { AnswerOf, QueryOf } from '@meridian/contract/endpoint';
import type { ticketExport } from '@meridian/contract/exports';
import { PAGE_SIZE_DEFAULT } from '@meridian/contract/fields';
import {
  TICKET_CODE_ALPHABET,
  TICKET_CODE_LENGTH,
  TICKET_MESSAGES,
} from '@meridian/contract/tickets';
import type {
  ListedTicket,
  Ticket,
  TicketIssueBody,
  TicketListQuery,
  ticketList,
} from '@meridian/contract/tickets';
import type { UserStatus } from '@meridian/contract/users';
import { randomBytes } from 'node:crypto';
import type { AuditContext, Author } from '../../audit/audit.store.ts';
import { uuidV7 } from '../../db/columns.ts';
import type { Database, Db } from '../../db/database.ts';
import { isViolation } from '../../db/errors.ts';
import { orderBy } from '../../db/page.ts';
import { sql } from '../../db/sql.ts';
import { AppError, invalidField } from '../../http/errors.ts';
import { once } from '../../http/idempotency.ts';
import type { RequestKey } from '../../http/idempotency.ts';
import { isUuid } from '../../http/register.ts';
import { createSnapshotStream } from '../../http/stream.ts';
import type { ListSink } from '../../http/stream.ts';
import { listOfTicket } from '../assignments/assignments.ts';
import { LARGEST_BATCH, counted, refuse, required } from '../noun.ts';
import type { ExportSource, Noun, Rows } from '../noun.ts';
import { lockPlanForTicket, summarizePlans } from '../plans/plans.store.ts';
import * as store from './tickets.store.ts';
import { ISSUER, LATEST, STATUS, findMatches, isOfStatus } from './tickets.store.ts';

type Issuer = Author & { readonly adminId: string };
export type TicketsService = ReturnType<typeof createTicketsService>;

const CODE_ATTEMPTS = 3;
/** A batch is some 400 kB of JSON, serialized between two other requests without being felt. */
const BATCH = 500;
/** The next listings wait longer than a client may stall the first. */
const FULL_LISTINGS = { atOnce: 1, queue: 4, waitMs: 7_000 };

export function createTicketsService(db: Database, newCode: () => string = newTicketCode) {
  async function withPlan(row: store.TicketRow): Promise<Ticket> {
    const [plan] = await summarizePlans(db, [row.planId]);
    return ticketOf(row, plan);
  }

  async function requireTicket(id: string): Promise<store.TicketRow> {
    return required(isUuid(id) ? await store.findTicket(db, id) : null, 'ticket_not_found');
  }

  /** A code that is taken ends the transaction, so the whole of it is tried again. */
  async function withFreshCode<T>(work: (code: string) => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await work(newCode());
      } catch (error) {
        const isTaken = isViolation(error, 'tickets_code_key');
        if (!isTaken || attempt === CODE_ATTEMPTS) throw error;
      }
    }
  }

  return {
    ...createTicketLists(db),

    async get(id: string): Promise<{ ticket: Ticket; assignments: Assignment[] }> {
      const row = await requireTicket(id);
      const [ticket, assignments] = await Promise.all([withPlan(row), listOfTicket(db, row.id)]);
      return { ticket, assignments };
    },

    async issue(by: Issuer, body: TicketIssueBody, key: RequestKey | null = null): Promise<Ticket> {
      if (!isUuid(body.planId)) throw planNotAvailable();
      const { limitsOverride = null } = body;
      const hasOverride = limitsOverride !== null && Object.keys(limitsOverride).length > 0;
      const ticket = {
        id: uuidV7(),
        planId: body.planId,
        issuerId: by.adminId,
        validDays: body.validDays,
        maxRedemptions: body.maxRedemptions,
        redemptionDeadline: body.redemptionDeadline ?? null,
        memo: body.memo || null,
        limitsOverride: hasOverride ? limitsOverride : null,
      };
      return withFreshCode((code) =>
        once(db, key, (tx) => insert(tx, { ...ticket, code }, { by, action: 'ticketIssue' })),
      );
    },

    async revoke(by: Author, id: string): Promise<Ticket> {
      const audit = { by, action: 'ticketRevoke' } as const;
      const row = isUuid(id) ? await store.revokeTicket(db, id, audit) : null;
      if (row !== null) return withPlan(row);
      await requireTicket(id);
      throw new AppError('ticket_not_revocable');
    },
  };
}

/** The statement that writes the audit entry has to come last. */
async function insert(tx: Db, ticket: store.NewTicket, audit: AuditContext): Promise<Ticket> {
  const plan = await lockPlanForTicket(tx, ticket.planId);
  if (plan === null) throw planNotAvailable();
  const row = await store.insertTicket(tx, ticket, audit);
  if (row === null) throw invalidField('redemptionDeadline', TICKET_MESSAGES.deadlinePassed);
  return ticketOf(row, plan);
}

function planNotAvailable(): AppError {
  return invalidField('planId', TICKET_MESSAGES.planNotAvailable);
}

export function createTicketLists(db: Database, fullListings = FULL_LISTINGS) {
  const writeFromSnapshot = createSnapshotStream(db, fullListings);

  return {
    async page(query: TicketListQuery): Promise<Required<AnswerOf<typeof ticketList>>> {
      const { limit = PAGE_SIZE_DEFAULT, offset = 0, ...filter } = query;
      const { rows, ...page } = await store.listPage(db, { limit, offset, ...filter });
      return { tickets: await plansFrom(db)(rows), ...page };
    },

    async few(): Promise<ListedTicket[] | null> {
      const { rows, last } = await store.listBatch(db, null, BATCH);
      return last === null ? plansFrom(db)(rows) : null;
    },

    writeAll: (sink: ListSink<ListedTicket>): Promise<void> =>
      writeFromSnapshot(sink, writeBatches),
  };
}

async function writeBatches(tx: Db, push: ListSink<ListedTicket>['push']): Promise<void> {
  const withPlans = plansFrom(tx);
  let after: store.TicketBatch['last'] = null;
  do {
    const { rows, last }: store.TicketBatch = await store.listBatch(tx, after, BATCH);
    await push(await withPlans(rows));
    after = last;
  } while (after !== null);
}

/** Tickets share few plans, which never go away, so each is read once. */
function plansFrom(db: Db) {
  const plans = new Map<string, PlanSummary>();
  return async (rows: readonly store.TicketRow[]): Promise<ListedTicket[]> => {
    const ids = new Set(rows.map(({ planId }) => planId));
    const missing = [...ids].filter((id) => !plans.has(id));
    if (missing.length > 0) {
      for (const plan of await summarizePlans(db, missing)) plans.set(plan.id, plan);
    }
    return rows.map((row) => ticketOf(row, plans.get(row.planId)));
  };
}

function ticketOf(row: store.TicketRow, plan: PlanSummary | undefined): Ticket {
  if (plan === undefined) throw new Error('A ticket without its plan');
  const { issuerName, issuerHandle, ...fields } = row;
  return { ...fields, plan, issuer: { displayName: issuerName, handle: issuerHandle } };
}

export type Refusal =
  | 'unknown'
  | 'revoked'
  | 'already_redeemed'
  | 'expired'
  | 'used_up'
  | 'user_inactive'
  | 'upgrade_prohibited';
export type Redemption = { result: 'redeemed'; assignmentId: string } | { result: Refusal };

type Facts = {
  id: string;
  isRevoked: boolean;
  isExpired: boolean;
  isUsedUp: boolean;
  isRedeemed: boolean;
  userStatus: UserStatus | null;
  isActive: boolean | null;
  isProhibited: boolean | null;
  moment: string;
};

export async function redeemTicket(tx: Db, code: string, userId: string): Promise<Redemption> {
  // The locks come in the order plan, ticket, user, as everywhere; a ticket never changes its plan.
  await tx.execute(sql`
    select from plans where id = (select plan_id from tickets where code = ${code}) for key share`);
  await tx.execute(sql`select from tickets where code = ${code} for no key update`);
  await tx.execute(sql`select from users where id = ${userId} for share`);
  // The moment is not the beginning of the transaction: a redemption that waited past the deadline is too late.
  const facts = await tx.maybeOne<Facts>(sql`
    select t.id, t.status = 'REVOKED' as "isRevoked",
      ticket_status(t.status, t.redemption_deadline, moment) = 'EXPIRED' as "isExpired",
      t.redemption_count >= t.max_redemptions as "isUsedUp",
      exists (select from plan_assignments a where a.ticket_id = t.id and a.user_id = ${userId}) as "isRedeemed",
      u.status as "userStatus", u.is_active as "isActive", u.upgrade_prohibited as "isProhibited",
      moment
    from clock_timestamp() as moment, tickets t left join users u on u.id = ${userId}
    where t.code = ${code}`);
  if (facts === null) return { result: 'unknown' };
  const refusal = refusalOf(facts);
  if (refusal !== null) return { result: refusal };
  const assignmentId = uuidV7();
  // Hours are added, since a day of the session's time zone may have 23 or 25 of them.
  await tx.execute(sql`
    with redeemed as (
      update tickets set redemption_count = redemption_count + 1, status = 'ACTIVE', updated_at = ${facts.moment}
      where id = ${facts.id} returning id, plan_id, valid_days, updated_at as moment)
    insert into plan_assignments (id, user_id, plan_id, ticket_id, activated_at, expires_at, created_at)
    select ${assignmentId}, ${userId}, plan_id, id, moment, moment + make_interval(hours => 24 * valid_days), moment
    from redeemed`);
  // Posts that had no room are claimed again by the plan that is in force now.
  await tx.execute(sql`select release_held_posts(${userId}, '{quota}')`);
  return { result: 'redeemed', assignmentId };
}

function refusalOf(facts: Facts): Refusal | null {
  if (facts.isRevoked) return 'revoked';
  if (facts.isRedeemed) return 'already_redeemed';
  if (facts.isExpired) return 'expired';
  if (facts.isUsedUp) return 'used_up';
  const isOff = facts.userStatus === 'SUSPENDED' || facts.userStatus === 'BLOCKED';
  if (facts.isActive !== true || isOff) return 'user_inactive';
  return facts.isProhibited === true ? 'upgrade_prohibited' : null;
}

/** A code is a bearer secret until it is used, hence 80 random bits. */
export function newTicketCode(random: Uint8Array = randomBytes(TICKET_CODE_LENGTH)): string {
  // 256 is a multiple of the 32 letters, so the remainder favours none.
  const { length } = TICKET_CODE_ALPHABET;
  return grouped(Array.from(random, (byte) => TICKET_CODE_ALPHABET[byte % length]).join(''));
}

const CODE = new RegExp(`^[${TICKET_CODE_ALPHABET}]{${TICKET_CODE_LENGTH}}$`, 'u');

export function readTicketCode(typed: string): string | null {
  const letters = typed.toUpperCase().replaceAll(/[\s-]/gu, '');
  return CODE.test(letters) ? grouped(letters) : null;
}

function grouped(letters: string): string {
  return letters.replaceAll(/.{4}(?=.)/g, '$&-');
}

const ROWS: Rows = {
  table: sql`tickets`,
  state: sql`case when t.redemption_count > 0 and t.status = 'UNUSED' then 'ACTIVE' else ${STATUS} end`,
  example: sql`t.code as label`,
  joins: sql.empty,
  notFound: 'ticket_not_found',
  matching: async (db, { tickets = {} }) => {
    const { status, search } = tickets;
    const found = search ? sql`(${await findMatches(db, search)})` : sql`tickets`;
    return sql`select t.id from ${found} as t where ${isOfStatus(status)}`;
  },
};

export const ticketNoun = {
  topics: ['tickets'],
  consequences: {
    async ticketRevoke(db, id) {
      const left = await store.countRedemptionsLeft(db, id);
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
