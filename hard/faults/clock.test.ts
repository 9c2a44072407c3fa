import { authLogin, authMe } from '@meridian/contract/auth';
import { planCreate } from '@meridian/contract/plans';
import { settingsGet } from '@meridian/contract/settings';
import { ticketGet, ticketIssue } from '@meridian/contract/tickets';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createClosers } from '../../server/src/background-task.ts';
import type { Database } from '../../server/src/db/database.ts';
import { sql } from '../../server/src/db/sql.ts';
import { createTestDatabase } from '../../server/test/cluster/test-database.ts';
import { judge } from '../../server/test/figures.ts';
import { openPatient } from '../../server/test/patient.ts';
import { insertCurrency, planBody } from '../../server/test/plan-fixtures.ts';
import { ADMIN, ServerProcess, makeDataDir } from '../../server/test/process.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** How wrong the server's clock is from its start, and by how much it jumps while it serves. */
type WrongClock = { name: string; shift: number; jump: number };
const CLOCKS: readonly WrongClock[] = [
  { name: 'an hour slow, then ten minutes slower', shift: -HOUR, jump: -10 * MINUTE },
  { name: 'an hour fast', shift: HOUR, jump: 0 },
  { name: 'a day fast', shift: 24 * HOUR, jump: 0 },
  { name: 'past 2038', shift: 15 * 365 * 24 * HOUR, jump: 0 },
  { name: 'right, then ten minutes slow', shift: 0, jump: -10 * MINUTE },
];
/** The long run tries them all; each takes a start. */
const TRIED = process.env['EVERY_CLOCK'] === undefined ? CLOCKS.slice(0, 1) : CLOCKS;

const PRELOAD = new URL('./shifted-clock.ts', import.meta.url).href;

/** The last line of its log tells what time it is by its clock. */
async function shiftOf(server: ServerProcess): Promise<number> {
  await server.send(settingsGet);
  const times = [...server.output.matchAll(/"time":"([^"]+)"/g)];
  return Date.parse(times.at(-1)?.[1] ?? '') - Date.now();
}

async function throttle(server: ServerProcess, username: string, db: Database): Promise<void> {
  const attempt = () =>
    server.send(authLogin, { body: { username, password: 'a wrong password' } });
  for (let failures = 0; failures < 5; failures += 1) expect((await attempt()).status).toBe(401);
  // The wait that this began is a second; on a slow machine it would be over by now.
  const waits = await db.execute(sql`
    update attempt_buckets set blocked_until = now() + interval '5 minutes'
    where blocked_until is not null`);
  expect(waits).toBeGreaterThan(0);
  const refused = await attempt();
  expect(refused.status).toBe(429);
  const retryAfter = Number(refused.headers.get('retry-after'));
  expect(retryAfter).toBeGreaterThan(0);
  expect(retryAfter).toBeLessThanOrEqual(300);
}

describe('a server whose clock is wrong', () => {
  const closers = createClosers();
  let db: Database;
  let right: ServerProcess;
  let env: Record<string, string>;
  let planId: string;

  beforeAll(async () => {
    const database = await createTestDatabase('server');
    closers.add(() => database.drop());
    const dataDir = await makeDataDir(closers);
    env = { DATABASE_URL: database.connectionString, DATA_DIR: dataDir, DEMO_DATA: 'off' };
    right = await ServerProcess.start(env);
    closers.add(async () => void (await right.stop()));
    db = openPatient({ connectionString: database.connectionString }, 2);
    closers.add(() => db.close());
    await insertCurrency(db, 'usd');
    planId = (await right.call(planCreate, { body: planBody() })).plan.id;
  });
  afterAll(() => closers.closeAll());

  /** By the clock of the database. */
  const inMinutes = async (minutes: number) => {
    const { at } = await db.one<{ at: string }>(
      sql`select to_json(now() + make_interval(mins => ${minutes})) #>> '{}' as at`,
    );
    return at;
  };

  async function sessions(server: ServerProcess): Promise<void> {
    // One opened by a server whose clock is right, and one of its own.
    expect((await server.send(authMe)).status).toBe(200);
    const { token } = await server.call(authLogin, { body: ADMIN });
    const { hours } = await db.one<{ hours: number }>(sql`
      select (extract(epoch from expires_at - now()) / 3600)::float8 as hours
      from admin_sessions order by created_at desc limit 1`);
    expect(hours).toBeCloseTo(12, 1);
    const idleFor = async (seconds: number) => {
      await db.execute(sql`
        update admin_sessions set last_seen_at = now() - make_interval(secs => ${seconds})
        where created_at = (select max(created_at) from admin_sessions)`);
      const headers = { authorization: `Bearer ${token}` };
      return (await fetch(new URL(authMe.path, server.url), { headers })).status;
    };
    expect(await idleFor(29 * 60)).toBe(200);
    expect(await idleFor(30 * 60 + 1)).toBe(401);
  }

  async function deadlines(server: ServerProcess): Promise<void> {
    const issue = async (minutes: number) =>
      server.send(ticketIssue, {
        body: { planId, validDays: 30, redemptionDeadline: await inMinutes(minutes) },
      });
    expect((await issue(-1)).status).toBe(400);
    expect((await issue(1)).status).toBe(201);
    const { id } = await db.one<{ id: string }>(
      sql`select id from tickets order by issued_at desc limit 1`,
    );
    const status = async () => (await server.call(ticketGet, { params: { id } })).ticket.status;
    expect(await status()).toBe('UNUSED');
    await db.execute(
      sql`update tickets set redemption_deadline = now() - interval '1 second' where id = ${id}`,
    );
    expect(await status()).toBe('EXPIRED');
  }

  test.each(TRIED)('F7: $name: sessions, deadlines and throttles do not notice', async (clock) => {
    const { name, shift, jump } = clock;
    const server = await ServerProcess.start({
      ...env,
      LOG_LEVEL: 'info',
      NODE_OPTIONS: `--import ${PRELOAD}`,
      CLOCK_SHIFT_MS: String(shift),
      CLOCK_JUMP_MS: String(jump),
    });
    try {
      server.continueSession(await right.token());
      const check = async (round: number, expected: number) => {
        await expect.poll(() => shiftOf(server)).toBeGreaterThan(expected - MINUTE);
        await expect.poll(() => shiftOf(server)).toBeLessThan(expected + MINUTE);
        await sessions(server);
        await deadlines(server);
        await throttle(server, `unknown-${name}-${round}`, db);
      };
      await check(1, shift);
      if (jump !== 0) {
        process.kill(server.pid, 'SIGUSR2');
        await check(2, shift + jump);
      }
      expect(server.isRunning).toBe(true);
    } finally {
      await server.stop();
    }
    const goal = `F7: clock ${name}: sessions, deadlines, throttles unchanged`;
    judge({ goal, measured: 'unchanged', isMet: true });
  });
});
