import type { AssignmentStatus } from '@meridian/contract/assignments';
import type { PostStatus } from '@meridian/contract/posts';
import type { UserStatus } from '@meridian/contract/users';
import type { Db } from '../src/db/database.ts';
import { sql } from '../src/db/sql.ts';
import { uuidV7 } from '../src/db/columns.ts';

/** Rows as other parts of the service would have left them, with a sensible value for every field. */

let serial = 0;

export type UserFixture = {
  id?: string;
  did?: string;
  handle?: string;
  display_name?: string | null;
  avatar?: string | null;
  status?: UserStatus;
  is_active?: boolean;
  has_access_keyword_access?: boolean;
  upgrade_prohibited?: boolean;
  created_at?: string;
};

/** Returns the id. */
export async function insertUser(db: Db, fields: UserFixture = {}): Promise<string> {
  serial += 1;
  const user = {
    id: uuidV7(),
    did: `did:plc:fixture${String(serial).padStart(17, '0')}`,
    handle: `fixture${serial}.test`,
    display_name: null,
    avatar: null,
    status: 'ACTIVE',
    is_active: true,
    has_access_keyword_access: false,
    upgrade_prohibited: false,
    created_at: '2026-01-01T00:00:00.000Z',
    ...fields,
  };
  await db.execute(sql`
    insert into users (id, did, handle, display_name, avatar, status, is_active,
      has_access_keyword_access, upgrade_prohibited, created_at, updated_at)
    values (${user.id}, ${user.did}, ${user.handle}, ${user.display_name}, ${user.avatar},
      ${user.status}, ${user.is_active}, ${user.has_access_keyword_access},
      ${user.upgrade_prohibited}, ${user.created_at}, ${user.created_at})`);
  return user.id;
}

export type PostFixture = {
  id?: string;
  content?: string;
  facets?: unknown;
  embed?: unknown;
  languages?: string[];
  status?: PostStatus;
  scheduled_at?: string;
  created_at?: string;
  executed_at?: string | null;
  at_uri?: string | null;
  at_rkey?: string | null;
  error_msg?: string | null;
};

/** Returns the id. */
export async function insertPost(
  db: Db,
  userId: string,
  fields: PostFixture = {},
): Promise<string> {
  const post = {
    id: uuidV7(),
    content: 'A scheduled post',
    facets: null,
    embed: null,
    languages: ['en'],
    status: 'PENDING',
    scheduled_at: '2026-03-01T09:00:00.000Z',
    created_at: '2026-02-01T09:00:00.000Z',
    executed_at: null,
    at_uri: null,
    at_rkey: null,
    error_msg: null,
    ...fields,
  };
  await db.execute(sql`
    insert into posts (id, user_id, content, facets, embed, languages, status, scheduled_at,
      created_at, updated_at, executed_at, at_uri, at_rkey, error_msg)
    values (${post.id}, ${userId}, ${post.content}, ${jsonOrNull(post.facets)},
      ${jsonOrNull(post.embed)}, ${post.languages}, ${post.status}, ${post.scheduled_at},
      ${post.created_at}, ${post.created_at}, ${post.executed_at}, ${post.at_uri},
      ${post.at_rkey}, ${post.error_msg})`);
  return post.id;
}

export type GrantFixture = {
  status?: AssignmentStatus;
  /** Null: never. */
  expires_at?: string | null;
  created_at?: string;
  /** Granted by a ticket with this code; null: by no ticket. */
  code?: string | null;
};

export type Grant = { assignmentId: string; planId: string; ticketId: string | null };

/** A plan of its own, a used ticket for it, and the assignment it gave the user. */
export async function grantPlan(db: Db, userId: string, fields: GrantFixture = {}): Promise<Grant> {
  serial += 1;
  const { status = 'ACTIVE', expires_at = null, code = null } = fields;
  const created_at = fields.created_at ?? '2026-01-10T00:00:00.000Z';
  const planId = uuidV7();
  await db.execute(sql`
    insert into plans (id, tier, name, display_name, description, limits)
    values (${planId}, 'BASIC', ${`fixture-plan-${serial}`},
      ${sql.json({ en: 'Basic', ja: 'ベーシック' })}, ${sql.json({ en: 'For a start' })},
      ${sql.json({ monthly_posts_limit: 10, thread_posts: false, max_video_size_mb: null })})`);
  const ticketId = code === null ? null : await insertUsedTicket(db, planId, code);
  const assignmentId = uuidV7();
  const revoked_at = status === 'REVOKED' ? created_at : null;
  await db.execute(sql`
    insert into plan_assignments (id, user_id, plan_id, ticket_id, status, activated_at,
      expires_at, revoked_at, created_at)
    values (${assignmentId}, ${userId}, ${planId}, ${ticketId}, ${status}, ${created_at},
      ${expires_at}, ${revoked_at}, ${created_at})`);
  return { assignmentId, planId, ticketId };
}

async function insertUsedTicket(db: Db, planId: string, code: string): Promise<string> {
  const id = uuidV7();
  await db.execute(sql`
    insert into tickets (id, code, status, plan_id, issuer_id, valid_days, redemption_count)
    values (${id}, ${code}, 'ACTIVE', ${planId}, (select min(id::text)::uuid from admins), 30, 1)`);
  return id;
}

function jsonOrNull(value: unknown): string | null {
  return value === null ? null : sql.json(value);
}
