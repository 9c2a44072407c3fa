import { planCreate, postGet, userGet } from '@meridian/contract';
import type { Plan, Post, User } from '@meridian/contract';
import type { Database } from '../../server/src/db/database.ts';
import { startEmbeddedDatabase } from '@meridian/embedded-postgres';
import { sql } from '../../server/src/db/sql.ts';
import type { Sql } from '../../server/src/db/sql.ts';
import { uuidV7 } from '../../server/src/db/columns.ts';
import { insertPost, insertUser } from '../../server/test/fixtures.ts';
import type { PostFixture, UserFixture } from '../../server/test/fixtures.ts';
import { insertCurrency, planBody } from '../../server/test/plan-fixtures.ts';
import { EngineRows } from './engine-rows.ts';
import type { Meridian } from './meridian.ts';
import { openPatient } from '../../server/test/patient.ts';

/** The server's own database, for rows that no call of the API writes: users and posts. */
export async function openRows(dataDir: string, meridian: Meridian): Promise<Rows> {
  const { connection } = await startEmbeddedDatabase({ dataDir, purpose: 'tool' });
  return new Rows(openPatient(connection), meridian);
}

type PlanFields = Parameters<typeof planBody>[0];
type AssignmentFields = {
  plan?: PlanFields;
  status?: 'ACTIVE' | 'EXPIRED' | 'REVOKED';
  activatedAt?: string;
  expiresAt?: string | null;
  /** Granted by a ticket with this code; null: without a ticket. */
  code?: string | null;
  limitsOverride?: Record<string, unknown> | null;
};

export class Rows {
  readonly engine: EngineRows;
  readonly #db: Database;
  readonly #meridian: Meridian;
  readonly #isFilled: boolean;

  /** `isFilled`: there are people and posts that no test wrote, and an engine that runs. */
  constructor(db: Database, meridian: Meridian, { isFilled = false } = {}) {
    this.#db = db;
    this.#meridian = meridian;
    this.#isFilled = isFilled;
    this.engine = new EngineRows(db);
  }

  close(): Promise<void> {
    return this.#db.close();
  }

  async clear(): Promise<void> {
    for (const table of [sql`plan_assignments`, sql`tickets`, sql`plans`]) {
      await this.#db.execute(sql`delete from ${table}`);
    }
    if (this.#isFilled) {
      await this.#db.execute(sql`delete from users where did like 'did:plc:fixture%'`);
      return;
    }
    await this.#db.execute(sql`delete from users`);
    await this.engine.reset();
  }

  /** What the database itself says, for a screen to be compared with. */
  select<Row>(query: Sql): Promise<Row[]> {
    return this.#db.many<Row>(query);
  }

  /** The rows of a query: `from users where …`. */
  async count(from: Sql): Promise<number> {
    return (await this.#db.one<{ count: number }>(sql`select count(*) as count ${from}`)).count;
  }

  /** As other programs and the passing of time change rows. */
  async execute(statement: Sql): Promise<void> {
    await this.#db.execute(statement);
  }

  /** The user as the API shows it. */
  async user(fields: UserFixture = {}): Promise<User> {
    const id = await insertUser(this.#db, {
      display_name: 'Harbour Lights',
      has_access_keyword_access: true,
      created_at: '2026-03-02T08:14:00.000Z',
      ...fields,
    });
    return (await this.#meridian.call(userGet, { params: { id } })).user;
  }

  /** Named `Person 1` and so on, the first on top of the list. */
  async users(count: number, { status = 'ACTIVE' }: { status?: string } = {}): Promise<void> {
    await this.#db.execute(sql`
      insert into users (id, did, handle, display_name, status, created_at)
      select gen_random_uuid(), 'did:plc:person' || n, 'person' || n || '.test', 'Person ' || n,
        ${status}, timestamptz '2026-03-02T00:00:00Z' - n * interval '1 minute'
      from generate_series(1, ${count}::integer) n`);
  }

  /** As many users and posts of each status, for what only counts them. */
  async counts(users: Record<string, number>, posts: Record<string, number>): Promise<void> {
    for (const [status, count] of Object.entries(users)) {
      await this.#db.execute(sql`
        insert into users (id, did, handle, status)
        select gen_random_uuid(), 'did:plc:' || ${status}::text || n, n || '.test', ${status}
        from generate_series(1, ${count}::integer) n`);
    }
    for (const [status, count] of Object.entries(posts)) {
      await this.#db.execute(sql`
        insert into posts (id, user_id, content, status, scheduled_at)
        select gen_random_uuid(), (select min(id::text)::uuid from users), 'Post', ${status}, now()
        from generate_series(1, ${count}::integer) n`);
    }
  }

  /** The post as the API shows it, of a user of its own unless told otherwise. */
  async post(fields: PostFixture & { user?: User | UserFixture } = {}): Promise<Post> {
    const { user, ...post } = fields;
    const userId = user && 'version' in user ? user.id : (await this.user(user)).id;
    const id = await insertPost(this.#db, userId, { ...POST, ...post });
    return (await this.#meridian.call(postGet, { params: { id } })).post;
  }

  /** Named `Post number 1` and so on, the first on top of the list; all of one user. */
  async posts(count: number, fields: ListedPostFields = {}, user?: User): Promise<User> {
    const author = user ?? (await this.user());
    const { status = 'PENDING', content = 'Post number', latest = POST.scheduled_at } = fields;
    await this.#db.execute(sql`
      insert into posts (id, user_id, content, status, scheduled_at, created_at)
      select gen_random_uuid(), ${author.id}, ${content}::text || ' ' || n, ${status},
        ${latest}::timestamptz - (n - 1) * interval '1 minute',
        ${POST.created_at}::timestamptz - (n - 1) * interval '1 minute'
      from generate_series(1, ${count}::integer) n`);
    return author;
  }

  /** A plan of its own, assigned to the user. Returns the plan and the assignment's id. */
  async assignment(user: User, fields: AssignmentFields = {}): Promise<{ id: string; plan: Plan }> {
    const { status = 'ACTIVE', expiresAt = '2096-12-31T23:00:00.000Z', code = null } = fields;
    const activatedAt = fields.activatedAt ?? '2026-10-01T10:00:00.000Z';
    const body = planBody({ tier: 'PREMIUM', displayName: { en: 'Studio' }, ...fields.plan });
    await insertCurrency(this.#db, body.currency ?? 'usd');
    const { plan } = await this.#meridian.call(planCreate, { body });
    const override = fields.limitsOverride ? sql.json(fields.limitsOverride) : null;
    const ticketId = code === null ? null : uuidV7();
    if (ticketId !== null) {
      await this.#db.execute(sql`
        insert into tickets (id, code, status, plan_id, issuer_id, valid_days, redemption_count,
          limits_override)
        select ${ticketId}, ${code}, 'ACTIVE', ${plan.id}, id, 30, 1, ${override}
        from admins where username = 'admin'`);
    }
    const id = uuidV7();
    await this.#db.execute(sql`
      insert into plan_assignments (id, user_id, plan_id, ticket_id, status, activated_at,
        expires_at, revoked_at, created_at)
      values (${id}, ${user.id}, ${plan.id}, ${ticketId}, ${status}, ${activatedAt}, ${expiresAt},
        ${status === 'REVOKED' ? activatedAt : null}, ${activatedAt})`);
    return { id, plan };
  }

  async removeAssignment(id: string): Promise<void> {
    await this.#db.execute(sql`delete from plan_assignments where id = ${id}`);
  }

  /** Another administrator, with the password of the first. */
  async administrator(username: string, displayName: string | null): Promise<void> {
    await this.#db.execute(sql`
      insert into admins (id, username, display_name, password_hash)
      select ${uuidV7()}, ${username}, ${displayName}, password_hash
      from admins where username = 'admin'
      on conflict (username) do update set password_hash = excluded.password_hash`);
  }
}

type ListedPostFields = {
  status?: string;
  content?: string;
  /** When the first is scheduled; each of the others a minute earlier. */
  latest?: string;
};

const POST = {
  content: 'Doors open at 7 tonight',
  scheduled_at: '2096-11-20T17:00:00.000Z',
  created_at: '2026-11-01T08:00:00.000Z',
};
