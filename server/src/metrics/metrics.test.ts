import { settingsGet } from '@meridian/contract/settings';
import { describe, expect, test } from 'vitest';
import { EITHER, setUpApp } from '../../test/app.ts';
import type { TestApp } from '../../test/app.ts';
import { insertHost, insertWorker, schedulePost } from '../../test/engine-fixtures.ts';
import { insertPost, insertUser } from '../../test/fixtures.ts';
import { buildApp } from '../app.ts';
import { readConfig } from '../config.ts';
import { sql } from '../db/sql.ts';
import { createLog } from '../log.ts';

const METRICS_TOKEN = 'a-token-that-only-the-tests-know-of';

/** `name{labels}` -> number, as Prometheus would read it. */
function read(body: string): Map<string, number> {
  const lines = body.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(
    lines.map((line) => {
      const at = line.lastIndexOf(' ');
      return [line.slice(0, at), Number(line.slice(at + 1))];
    }),
  );
}

const scrape = (app: TestApp['app'], authorization?: string) =>
  app.inject({
    url: '/metrics',
    // By address, as Prometheus calls: the host check is not for it.
    headers: { host: '10.1.2.3:3000', ...(authorization && { authorization }) },
  });

describe.each(EITHER)('/metrics on %s', (engine) => {
  const api = setUpApp(engine, { env: { METRICS_TOKEN } });
  const metrics = async () => read((await scrape(api.app, `Bearer ${METRICS_TOKEN}`)).body);

  test.each([
    ['no token', undefined],
    ['another token', `Bearer ${METRICS_TOKEN}x`],
    ['another scheme', `Basic ${METRICS_TOKEN}`],
  ])('%s is refused', async (_, authorization) => {
    const response = await scrape(api.app, authorization);
    expect(response.statusCode).toBe(401);
    expect(response.json()).toMatchObject({ code: 'unauthenticated' });
  });

  test("a session's token is refused too", async () => {
    const { token } = await api.signIn();
    expect((await scrape(api.app, `Bearer ${token}`)).statusCode).toBe(401);
  });

  test('is in the text format, not cached, and every line has its kind', async () => {
    const response = await scrape(api.app, `Bearer ${METRICS_TOKEN}`);
    expect(response.statusCode).toBe(200);
    expect(response.headers['content-type']).toBe('text/plain; version=0.0.4; charset=utf-8');
    expect(response.headers['cache-control']).toBe('no-store');
    const lines = response.body.split('\n').filter((line) => line !== '');
    const form = /^(# (HELP|TYPE) \w+ .+|\w+(\{\w+="[^"]*"(,\w+="[^"]*")*\})? (NaN|[\d.e+-]+))$/;
    expect(lines.filter((line) => !form.test(line))).toEqual([]);
    const kinds = new Set([...response.body.matchAll(/^# TYPE (\w+)/gm)].map(([, name]) => name));
    const names = [...read(response.body).keys()].map((key) => key.replace(/\{.*/, ''));
    expect(
      names.filter(
        (name) => !kinds.has(name.replace(/_(bucket|sum|count)$/, '')) && !kinds.has(name),
      ),
    ).toEqual([]);
  });

  test('requests are counted by route, method and status, and timed', async () => {
    const { token } = await api.signIn();
    const before = await metrics();
    await api.call(settingsGet, { token });
    await api.call(settingsGet, { token });
    await api.call(settingsGet);
    await api.app.inject({ url: '/api/admin/users/an-unknown-id', headers: { host: 'localhost' } });
    await api.app.inject({ url: '/healthz' });
    const after = await metrics();
    const more = (key: string) => (after.get(key) ?? 0) - (before.get(key) ?? 0);

    const labels = `method="GET",route="${settingsGet.path}"`;
    expect(more(`meridian_http_requests_total{${labels},status="200"}`)).toBe(2);
    expect(more(`meridian_http_requests_total{${labels},status="401"}`)).toBe(1);
    expect(more(`meridian_http_request_duration_seconds_count{${labels}}`)).toBe(3);
    expect(more(`meridian_http_request_duration_seconds_bucket{le="+Inf",${labels}}`)).toBe(3);
    expect(more(`meridian_http_request_duration_seconds_sum{${labels}}`)).toBeGreaterThan(0);
    expect(more('meridian_http_requests_total{method="GET",route="/healthz",status="200"}')).toBe(
      1,
    );
    // Neither ids nor search texts become labels.
    expect([...after.keys()].filter((key) => key.includes('an-unknown-id'))).toEqual([]);
    // Only the scrape itself.
    expect(after.get('meridian_http_requests_in_flight')).toBe(1);
  });

  test('reports the process', async () => {
    const found = await metrics();
    expect(found.get('process_resident_memory_bytes')).toBeGreaterThan(10e6);
    expect(found.get('nodejs_heap_size_used_bytes')).toBeGreaterThan(1e6);
    expect(found.get('process_cpu_seconds_total')).toBeGreaterThan(0);
    expect(
      Math.abs((found.get('process_start_time_seconds') ?? 0) - Date.now() / 1000),
    ).toBeLessThan(3600);
    expect(found.has('nodejs_eventloop_lag_p99_seconds')).toBe(true);
    const { node } = process.versions;
    expect(found.get(`meridian_build_info{version="0.2.0",node="${node}"}`)).toBe(1);
  });

  test('counts the posts that are due, and says how long the first has been', async () => {
    const user = await insertUser(api.db);
    const now = Date.now();
    const at = (hours: number) => new Date(now + hours * 3_600_000).toISOString();
    await insertPost(api.db, user, { status: 'PENDING', scheduled_at: at(-2) });
    await insertPost(api.db, user, { status: 'PENDING', scheduled_at: at(-1) });
    await insertPost(api.db, user, { status: 'PENDING', scheduled_at: at(1) });
    await insertPost(api.db, user, { status: 'FAILED', scheduled_at: at(-9) });
    const found = await metrics();
    expect(found.get('meridian_posts_due')).toBe(2);
    expect(found.get('meridian_posts_due_oldest_seconds')).toBeGreaterThanOrEqual(7200);
    // Not the one that failed nine hours ago, nor the younger one.
    expect(found.get('meridian_posts_due_oldest_seconds')).toBeLessThan(9 * 3600);
    // Four posts and a person, and nothing in this test adds them up.
    expect(found.get('meridian_counter_deltas')).toBe(5);
    expect(found.get('meridian_database_up')).toBe(1);

    await api.db.execute(sql`update posts set status = 'COMPLETED' where status = 'PENDING'`);
    const later = await metrics();
    expect(later.get('meridian_posts_due')).toBe(0);
    expect(later.get('meridian_posts_due_oldest_seconds')).toBe(0);
  });

  test('reports what could publish them, and leaves out held posts', async () => {
    const user = await insertUser(api.db);
    await schedulePost(api.db, user, { inSeconds: -7200, hold: 'user_off' });
    await insertWorker(api.db, { id: 'here' });
    await insertWorker(api.db, { id: 'gone', seenSeconds: -60 });
    await insertHost(api.db, { host: 'dead.example', state: 'DOWN' });
    await insertHost(api.db, { host: 'slow.example', state: 'SLOW' });
    await api.db.execute(sql`update service_settings set is_service_suspended = true`);
    const found = await metrics();
    expect(found.get('meridian_posts_due')).toBe(0);
    expect(found.get('meridian_posts_due_oldest_seconds')).toBe(0);
    expect(found.get('meridian_service_suspended')).toBe(1);
    expect(found.get('meridian_engine_workers')).toBe(1);
    expect(found.get('meridian_engine_hosts_down')).toBe(1);
    expect(found.get('meridian_engine_held{cause="user_off"}')).toBe(1);
    expect(found.get('meridian_engine_host_state{host="dead.example",state="DOWN"}')).toBe(1);
    expect(found.get('meridian_engine_host_state{host="slow.example",state="SLOW"}')).toBe(1);
    await api.db.execute(sql`update posts set hold = null`);
    await api.db.execute(sql`update hosts set state = 'OPEN' where host = 'dead.example'`);
    const names = [...(await metrics()).keys()];
    expect(names.filter((name) => /_held\{|="dead/.test(name))).toEqual([
      'meridian_engine_host_state{host="dead.example",state="OPEN"}',
    ]);
    await api.db.execute(sql`delete from posts`);
  });

  test('names 20 hosts at most, those in trouble first', async () => {
    await api.db.execute(sql`delete from hosts`);
    for (let number = 10; number < 35; number += 1) {
      await insertHost(api.db, { host: `a${number}.example`, state: 'OPEN' });
    }
    await insertHost(api.db, { host: 'z.example', state: 'DOWN' });
    const names = [...(await metrics()).keys()].filter((name) => name.includes('host_state'));
    expect(names).toHaveLength(20);
    expect(names[0]).toBe('meridian_engine_host_state{host="z.example",state="DOWN"}');
  });

  test('reports the pool', async () => {
    const begun = Promise.withResolvers<void>();
    const holding = Promise.withResolvers<void>();
    const held = api.db.transaction(async () => {
      begun.resolve();
      await holding.promise;
    });
    await begun.promise;
    const found = await metrics();
    holding.resolve();
    await held;
    expect(found.get('meridian_pool_connections{state="busy"}')).toBe(1);
    expect(found.get('meridian_pool_connections{state="idle"}')).toBeGreaterThanOrEqual(0);
    expect(found.get('meridian_pool_max')).toBe(13);
    expect(found.get('meridian_pool_waiting')).toBe(0);
  });

  test('a database that does not respond is reported, and the rest is still there', async () => {
    await api.db.execute(sql`alter table counter_deltas rename to counter_deltas_away`);
    const found = await metrics();
    await api.db.execute(sql`alter table counter_deltas_away rename to counter_deltas`);
    expect(found.get('meridian_database_up')).toBe(0);
    expect(found.has('meridian_posts_due')).toBe(false);
    expect(found.get('process_resident_memory_bytes')).toBeGreaterThan(0);
    expect(api.logged.join('')).toContain('The database could not be asked for metrics');
    expect((await metrics()).get('meridian_database_up')).toBe(1);
  });
});

/** The console alone, in front of a service somewhere else: there is no database to report. */
async function consoleOnly(env: Record<string, string>) {
  const config = readConfig({ UPSTREAM_API: 'http://127.0.0.1:1', ...env });
  const log = createLog('silent');
  const nowhere = new URL('file:///nowhere/');
  return buildApp({ config, log, context: null, consoleDir: nowhere });
}

test('without a token set there is no such route', async () => {
  const app = await consoleOnly({});
  const response = await app.inject({ url: '/metrics', headers: { host: 'localhost' } });
  expect(response.statusCode).toBe(404);
  await app.close();
});

test('in front of another service it reports requests and the process alone', async () => {
  const app = await consoleOnly({ METRICS_TOKEN });
  const found = read((await scrape(app, `Bearer ${METRICS_TOKEN}`)).body);
  expect(found.has('process_resident_memory_bytes')).toBe(true);
  expect([...found.keys()].filter((key) => /database|pool|posts/.test(key))).toEqual([]);
  await app.close();
});

test('a token too short to be safe stops the start, unrepeated', () => {
  expect(() => readConfig({ METRICS_TOKEN: 'short' })).toThrow(
    'METRICS_TOKEN must be 32 to 256 visible characters.',
  );
});
