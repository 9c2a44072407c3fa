import type { ClientConfig } from 'pg';
import { expect, vi } from 'vitest';
import type { Engine as Cluster } from '../../../test/cluster/clusters.ts';
import { createTestDatabase } from '../../../test/cluster/test-database.ts';
import { insertPost, insertUser } from '../../../test/fixtures.ts';
import type { PostFixture } from '../../../test/fixtures.ts';
import { PATIENT, openPatient } from '../../../test/patient.ts';
import { createClosers } from '../../background-task.ts';
import type { EngineOptions } from '../../config.ts';
import { uuidV7 } from '../../db/columns.ts';
import type { Database } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import { createLog } from '../../log.ts';
import type { Network } from '../../network/network.ts';
import { createHeaderNetwork } from '../../network/testing/header-network.ts';
import { startLocalHost } from '../../network/testing/local-host.ts';
import type { LocalHostOptions } from '../../network/testing/local-host.ts';
import type { ObjectStore } from '../../objects/objects.ts';
import { startEngine } from '../engine.ts';
import type { Engine } from '../engine.ts';
import { pause } from '../heartbeat.ts';

export const OPTIONS: EngineOptions = {
  concurrency: 64,
  hostConcurrency: 64,
  hostPerSecond: Infinity,
  egress: 'test',
  lookaheadMs: 1_500,
  leaseMs: 15_000,
  lateLimitMs: 3_600_000,
  retryWindowMs: 600_000,
};

/** As of expect.poll, which works in tests only. */
const PATIENCE = { timeout: 90_000, interval: 10 };

/** An object store without any object. */
const NO_OBJECTS: ObjectStore = {
  kind: 'local',
  put: async () => {},
  get: async () => null,
  delete: async () => {},
  publicUrl: (key) => key,
};

export type Stage = Awaited<ReturnType<typeof openStage>>;
export type StagedUser = { id: string; did: string };

/** A database, engines on it and hosts for them; `close` ends everything that was started. */
export async function openStage(cluster: Cluster) {
  const closers = createClosers();
  const database = await createTestDatabase(cluster);
  const { connectionString } = database;
  closers.add(() => database.drop());
  const db: Database = openPatient({ connectionString }, 10);
  closers.add(() => db.close());
  const logged: string[] = [];

  return {
    db,
    connectionString,
    logged,
    close: () => closers.closeAll(),

    async startEngine(
      network: Network,
      options: Partial<EngineOptions> = {},
      connection: ClientConfig = {},
    ): Promise<Engine> {
      const engine = await startEngine({
        connection: { connectionString, ...PATIENT, ...connection },
        network,
        objects: NO_OBJECTS,
        options: { ...OPTIONS, ...options },
        log: createLog('info', { write: (line) => logged.push(line) }),
        version: 'test',
      });
      const stop = once(() => engine.stop());
      closers.add(stop);
      return { ...engine, stop };
    },

    async startHost(options?: LocalHostOptions) {
      const host = await startLocalHost(options);
      closers.add(() => host.close());
      return host;
    },

    closeAtEnd: (close: () => Promise<void>) => closers.add(close),

    /** With a connected account on the host. */
    async addUser(host: string | null): Promise<StagedUser> {
      const id = await insertUser(db);
      if (host !== null) {
        await db.execute(sql`insert into accounts (user_id, host) values (${id}, ${host})`);
      }
      const { did } = await db.one<{ did: string }>(sql`select did from users where id = ${id}`);
      return { id, did };
    },

    /** Due in so many milliseconds. Its text is its id, so that the host can tell posts apart. */
    async addPost(user: StagedUser, dueInMs: number, fields: PostFixture = {}): Promise<string> {
      const id = uuidV7();
      const scheduled_at = new Date(Date.now() + dueInMs).toISOString();
      return insertPost(db, user.id, { id, content: id, scheduled_at, ...fields });
    },

    /** Lets all pending posts be due so much earlier; they were made for later, as that takes a while. */
    async bringForward(ms: number): Promise<void> {
      await db.execute(sql`
        update posts set scheduled_at = scheduled_at - ${Math.round(ms)} * interval '1 millisecond'
        where status = 'PENDING'`);
    },

    async readPosts(): Promise<StagedPost[]> {
      return db.many<StagedPost>(sql`
        select p.id, p.user_id as "userId", p.status, p.hold, p.cause, p.error_msg as "errorMessage",
          p.at_uri as "atUri", p.attempt, p.scheduled_at as "scheduledAt",
          (extract(epoch from d.sent_at - p.scheduled_at) * 1000)::float8 as "latenessMs"
        from posts p left join deliveries d on d.post_id = p.id order by p.scheduled_at, p.id`);
    },

    /** Until so many posts are open: PENDING or PROCESSING, held ones not counted. */
    async untilOpen(count: number): Promise<void> {
      await vi.waitFor(async () => expect(await countOpen(db)).toBe(count), PATIENCE);
    },

    /** Until a moment at which something is to happen. */
    until: (moment: number) =>
      pause(Math.max(0, moment - Date.now()), new AbortController().signal),

    /** When each post was last sent, in milliseconds of the database's clock; also of deleted ones. */
    async readSent(): Promise<Map<string, number>> {
      const rows = await db.many<{ id: string; at: number }>(sql`
        select post_id as id, (extract(epoch from sent_at) * 1000)::float8 as at
        from deliveries where sent_at is not null`);
      return new Map(rows.map(({ id, at }) => [id, at]));
    },

    /** Ends the connections whose application name is `name`. */
    async terminate(name: string): Promise<number> {
      return db.execute(sql`
        select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and application_name = ${name}`);
    },
  };
}

async function countOpen(db: Database): Promise<number> {
  const { open } = await db.one<{ open: number }>(sql`
    select count(*)::integer as open from posts
    where status in ('PENDING', 'PROCESSING') and claim_at <> 'infinity'`);
  return open;
}

export type StagedPost = {
  id: string;
  userId: string;
  status: string;
  hold: string | null;
  cause: string | null;
  errorMessage: string | null;
  atUri: string | null;
  attempt: number;
  scheduledAt: string;
  latenessMs: number | null;
};

/** Hosts over HTTP on this machine; `authorize` signs in at the account's host. */
export function httpNetwork(
  hosts: readonly Awaited<ReturnType<Stage['startHost']>>[],
  timeoutMs = 8_000,
): Network {
  const byUrl = new Map(hosts.map((host) => [host.url, host]));
  return createHeaderNetwork({
    timeoutMs,
    authorize: async (account) => byUrl.get(account.host)?.authorize(account) ?? {},
  });
}

/** A value that must be there. */
export function given<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new Error('What the test needs is missing');
  return value;
}

function once(run: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | undefined;
  return () => (done ??= run());
}
