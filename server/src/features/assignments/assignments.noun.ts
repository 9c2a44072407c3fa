import { sql } from '../../db/sql.ts';
import { counted, LARGEST_BATCH, refuse } from '../noun.ts';
import type { Noun, Rows } from '../noun.ts';

const ROWS: Rows = {
  table: sql`plan_assignments`,
  state: sql`assignment_status(t.status, t.expires_at)`,
  example: sql`'@' || u.handle || ': ' || p.name as label`,
  joins: sql`join users u on u.id = t.user_id join plans p on p.id = t.plan_id`,
  notFound: 'assignment_not_found',
  // They have no list of their own.
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
