import type { Db } from '../../src/db/database.ts';
import { sql } from '../../src/db/sql.ts';
import { uuidV7 } from '../../src/db/uuid-v7.ts';
import { grantPlan, insertUser } from '../fixtures.ts';

export type Refusal = {
  result: string;
  limit_name: string | null;
  allowed: number | null;
  used: number | null;
  ends_at: string | null;
};
export type Scheduled = Refusal & { post_id: string | null };

export type PostText = {
  content?: string;
  embed?: unknown;
  thread?: unknown[];
};

/** What another program calls to schedule a post. */
export async function schedule(
  db: Db,
  userId: string,
  at: Date,
  { content = 'A post', embed, thread }: PostText = {},
): Promise<Scheduled> {
  return db.one<Scheduled>(sql`
    select * from meridian_api.schedule_post(${userId}, ${content}, ${at.toISOString()},
      embed => ${embed === undefined ? null : sql.json(embed)}::jsonb,
      thread => ${thread === undefined ? null : sql.json(thread)}::jsonb)`);
}

/** A user with a plan of these limits. */
export async function userWithLimits(db: Db, limits: Record<string, unknown>): Promise<string> {
  const userId = await insertUser(db);
  const { planId } = await grantPlan(db, userId);
  await db.execute(sql`update plans set limits = ${sql.json(limits)} where id = ${planId}`);
  return userId;
}

/** A ticket redeemed by the user, which overrides limits of its plan. */
export async function overrideLimits(
  db: Db,
  userId: string,
  overrides: Record<string, unknown>,
): Promise<void> {
  const ticketId = uuidV7();
  await db.execute(sql`
    insert into tickets (id, code, status, plan_id, issuer_id, valid_days, redemption_count, limits_override)
    select ${ticketId}, 'ABCD-EFGH-JKMN-PQRS', 'ACTIVE', plan_id, (select min(id::text)::uuid from admins), 30, 1,
      ${sql.json(overrides)} from plan_assignments where user_id = ${userId}`);
  await db.execute(
    sql`update plan_assignments set ticket_id = ${ticketId} where user_id = ${userId}`,
  );
}

export const HOUR = 3_600_000;
export const DAY = 24 * HOUR;
export const inHours = (hours: number) => new Date(Date.now() + hours * HOUR);
