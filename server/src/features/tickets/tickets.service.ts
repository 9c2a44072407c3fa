import type { Assignment } from '@meridian/contract/assignments';
import type { AnswerOf } from '@meridian/contract/endpoint';
import { PAGE_SIZE_DEFAULT } from '@meridian/contract/fields';
import { TICKET_MESSAGES } from '@meridian/contract/tickets';
import type {
  ListedTicket,
  Ticket,
  TicketIssueBody,
  ticketList,
  TicketListQuery,
} from '@meridian/contract/tickets';
import type { Author } from '../../audit/author.ts';
import type { AuditContext } from '../../audit/entry.ts';
import type { Database, Db } from '../../db/database.ts';
import { isViolation } from '../../db/errors.ts';
import { uuidV7 } from '../../db/uuid-v7.ts';
import { AppError, invalidField } from '../../http/app-error.ts';
import type { ListSink } from '../../http/list-stream.ts';
import { createSnapshotStream } from '../../http/snapshot-stream.ts';
import { isUuid } from '../../http/uuid.ts';
import { once } from '../../idempotency/once.ts';
import type { RequestKey } from '../../idempotency/request-key.ts';
import { listOfTicket } from '../assignments/assignments.store.ts';
import { lockPlanForTicket, summarizePlans } from '../plans/plans.store.ts';
import type { PlanSummary } from '../plans/plans.store.ts';
import { newTicketCode } from './ticket-code.ts';
import * as store from './tickets.store.ts';

export type Issuer = Author & { readonly adminId: string };
export type TicketsService = ReturnType<typeof createTicketsService>;

const CODE_ATTEMPTS = 3;
/** Some 400 kB of JSON: serialized between two other requests without being felt. */
const BATCH = 500;
/** One at a time; the next wait longer than a client may stall the first. */
const FULL_LISTINGS = { atOnce: 1, queue: 4, waitMs: 7_000 };

export function createTicketsService(db: Database, newCode: () => string = newTicketCode) {
  async function withPlan(row: store.TicketRow): Promise<Ticket> {
    const [plan] = await summarizePlans(db, [row.planId]);
    return ticketOf(row, plan);
  }

  async function requireTicket(id: string): Promise<store.TicketRow> {
    const row = isUuid(id) ? await store.findTicket(db, id) : null;
    if (row === null) throw new AppError('ticket_not_found');
    return row;
  }

  /** A code that is taken costs the whole transaction, so that is what is tried again. */
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

/** The plan is read first: what puts the ticket on record has to come last. */
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

export type TicketsPage = Required<AnswerOf<typeof ticketList>>;

export function createTicketLists(db: Database, fullListings = FULL_LISTINGS) {
  const writeFromSnapshot = createSnapshotStream(db, fullListings);

  return {
    async page(query: TicketListQuery): Promise<TicketsPage> {
      const { limit = PAGE_SIZE_DEFAULT, offset = 0, search = '', status, cursor } = query;
      const request = { limit, offset, search, status, cursor };
      const { rows, ...page } = await store.listPage(db, request);
      return { tickets: await plansFrom(db)(rows), ...page };
    },

    /** All tickets, newest first, when they fit into one batch; null when there are more. */
    async few(): Promise<ListedTicket[] | null> {
      const { rows, last } = await store.listBatch(db, null, BATCH);
      return last === null ? plansFrom(db)(rows) : null;
    },

    /** All tickets, newest first. */
    writeAll: (sink: ListSink<ListedTicket>): Promise<void> =>
      writeFromSnapshot(sink, writeBatches),
  };
}

async function writeBatches(tx: Db, push: ListSink<ListedTicket>['push']): Promise<void> {
  const withPlans = plansFrom(tx);
  let after: readonly string[] | null = null;
  do {
    const batch: Awaited<ReturnType<typeof store.listBatch>> = await store.listBatch(
      tx,
      after,
      BATCH,
    );
    await push(await withPlans(batch.rows));
    after = batch.last;
  } while (after !== null);
}

/** Tickets share few plans: each is read once, and never goes away. */
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

/** A ticket as the contract has it, from its row and its plan. */
function ticketOf(row: store.TicketRow, plan: PlanSummary | undefined): Ticket {
  if (plan === undefined) throw new Error('A ticket without its plan');
  const { issuerName, issuerHandle, ...fields } = row;
  return { ...fields, plan, issuer: { displayName: issuerName, handle: issuerHandle } };
}
