import { assignmentList, assignmentRevoke } from '@meridian/contract/assignments';
import type { Assignment } from '@meridian/contract/assignments';
import type { FastifyInstance } from 'fastify';
import { entryOf } from '../../audit/audit.store.ts';
import type { AuditContext, Author } from '../../audit/audit.store.ts';
import type { Database, Db } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import { AppError } from '../../http/errors.ts';
import { isUuid, register } from '../../http/register.ts';
import { LARGEST_BATCH, counted, refuse } from '../noun.ts';
import type { Noun, Rows } from '../noun.ts';
import { userExists } from '../users/users.store.ts';

export function assignmentsRoutes(
  app: FastifyInstance,
  { assignments }: { assignments: ReturnType<typeof createAssignmentsService> },
): void {
  register(app, assignmentList, async ({ params }) => ({
    assignments: await assignments.listOfUser(params.id),
  }));

  register(app, assignmentRevoke, async ({ actor, params }) => ({
    assignment: await assignments.revoke(actor, params.id, params.assignmentId),
  }));
}

export function createAssignmentsService(db: Database) {
  async function requireUser(userId: string): Promise<void> {
    if (!isUuid(userId) || !(await userExists(db, userId))) throw new AppError('user_not_found');
  }

  return {
    async listOfUser(userId: string): Promise<Assignment[]> {
      const assignments = isUuid(userId) ? await listOfUser(db, userId) : [];
      // Only an empty list leaves the question open whether there is such a user.
      if (assignments.length === 0) await requireUser(userId);
      return assignments;
    },

    async revoke(by: Author, userId: string, id: string): Promise<Assignment> {
      const areIds = isUuid(userId) && isUuid(id);
      const audit = { by, action: 'assignmentRevoke' } as const;
      const revoked = areIds ? await revoke(db, id, userId, audit) : null;
      if (revoked !== null) return revoked;
      if (areIds && (await assignmentExists(db, id, userId))) {
        throw new AppError('assignment_not_revocable');
      }
      await requireUser(userId);
      throw new AppError('assignment_not_found');
    },
  };
}

const COLUMNS = sql`
  a.id, assignment_status(a.status, a.expires_at) as status,
  a.activated_at as "activatedAt", a.expires_at as "expiresAt", a.created_at as "createdAt",
  case when t.id is not null then json_build_object('id', t.id, 'code', t.code) end as ticket,
  t.limits_override as "limitsOverride",
  json_build_object(
    'id', u.id, 'displayName', u.display_name, 'handle', u.handle, 'did', u.did) as "user",
  json_build_object(
    'id', p.id, 'name', p.name, 'displayName', p.display_name, 'tier', p.tier,
    'limits', p.limits) as plan`;

const JOINS = sql`
  join users u on u.id = a.user_id
  join plans p on p.id = a.plan_id
  left join tickets t on t.id = a.ticket_id`;

async function listOfUser(db: Db, userId: string): Promise<Assignment[]> {
  return db.many<Assignment>(sql`
    select ${COLUMNS} from plan_assignments a ${JOINS}
    where a.user_id = ${userId} order by a.created_at desc, a.id desc`);
}

export async function listOfTicket(db: Db, ticketId: string): Promise<Assignment[]> {
  return db.many<Assignment>(sql`
    select ${COLUMNS} from plan_assignments a ${JOINS}
    where a.ticket_id = ${ticketId} order by a.created_at desc, a.id desc`);
}

async function assignmentExists(db: Db, id: string, userId: string): Promise<boolean> {
  const row = await db.one<{ found: boolean }>(sql`
    select exists (
      select from plan_assignments where id = ${id} and user_id = ${userId}) as found`);
  return row.found;
}

async function revoke(
  db: Db,
  id: string,
  userId: string,
  audit: AuditContext,
): Promise<Assignment | null> {
  return db.maybeOne<Assignment>(sql`
    with changed as (
      update plan_assignments set status = 'REVOKED', revoked_at = now()
      where id = ${id} and user_id = ${userId}
        and assignment_status(status, expires_at) = 'ACTIVE'
      returning id, user_id, plan_id, ticket_id, status, activated_at, expires_at, created_at,
        -- By the condition above it can have been nothing else.
        jsonb_build_object('status', 'ACTIVE') as was, jsonb_build_object('status', status) as became),
    audited as (${entryOf(audit)})
    select ${COLUMNS} from changed a ${JOINS}`);
}

const ROWS: Rows = {
  table: sql`plan_assignments`,
  state: sql`assignment_status(t.status, t.expires_at)`,
  example: sql`'@' || u.handle || ': ' || p.name as label`,
  joins: sql`join users u on u.id = t.user_id join plans p on p.id = t.plan_id`,
  notFound: 'assignment_not_found',
  // Assignments have no list of their own.
  matching: async () => sql`select id from plan_assignments where false`,
};

export const assignmentNoun = {
  topics: ['users', 'tickets'],
  many: {
    assignmentRevoke: {
      rows: ROWS,
      batch: LARGEST_BATCH,
      state: ROWS.state,
      was: sql`jsonb_build_object('status', t.status)`,
      refusal: (state) => (state === 'ACTIVE' ? null : refuse('assignment_not_revocable')),
      change: (ids) => sql`
        update plan_assignments set status = 'REVOKED', revoked_at = now()
        where id = any(${ids}::uuid[])`,
      sentences: ({ count }) => [
        `${counted(count, 'plan assignment', 'plan assignments')} will end now. This cannot be undone.`,
      ],
    },
  },
} satisfies Noun;
