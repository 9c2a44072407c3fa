import { ENGINE_COUNT_MAX, WORKER_ALIVE_SECONDS } from '@meridian/contract/engine';
import { eventStream, meEvents } from '@meridian/contract/events';
import type { FastifyInstance } from 'fastify';
import { createHash, timingSafeEqual } from 'node:crypto';
import type { Logger } from 'pino';
import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client';
import type { Database, Db } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import { IS_CLOCK_RIGHT } from '../engine/heartbeat.ts';
import { IS_FORGOTTEN, countHeld, listHosts } from '../features/engine/engine.ts';
import { CLAIM_IS_NEAR, IS_OVERDUE } from '../features/posts/posts-filtered.store.ts';
import { AppError } from '../http/errors.ts';
import type { Context } from '../services.ts';
import { readVersion } from '../version.ts';

/** Without a token set there is no such route. */
export async function metricsRoutes(
  app: FastifyInstance,
  token: string | null,
  context: Context | null,
  engine: Registry | null,
): Promise<void> {
  if (token === null) {
    app.get('/metrics', () => {
      throw new AppError('not_found');
    });
    return;
  }
  const expected = hashOf(`Bearer ${token}`);
  // The global registry is not used: several apps may run in one process, as in tests.
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const build = new Gauge({
    name: 'meridian_build_info',
    help: 'Always 1; the labels name what runs.',
    labelNames: ['version', 'node'],
    registers: [registry],
  });
  build.set({ version: await readVersion(), node: process.versions.node }, 1);
  measureRequests(app, registry);
  const readDatabase = context && databaseMetrics(registry, context.db, context.log);

  app.get('/metrics', { config: { anyHost: true } }, async (request, reply) => {
    // Hashes have one length, and their comparison reveals nothing about a partly right guess.
    if (!timingSafeEqual(hashOf(request.headers.authorization ?? ''), expected)) {
      throw new AppError('unauthenticated');
    }
    await readDatabase?.();
    const all = engine === null ? registry : Registry.merge([registry, engine]);
    return reply.type(registry.contentType).send(await all.metrics());
  });
}

function hashOf(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

function measureRequests(app: FastifyInstance, registry: Registry): void {
  const registers = [registry];
  const requests = new Counter({
    name: 'meridian_http_requests_total',
    help: 'Completed requests.',
    labelNames: ['method', 'route', 'status'],
    registers,
  });
  const durations = new Histogram({
    name: 'meridian_http_request_duration_seconds',
    help: 'Time from the arrival of a request to the end of its response.',
    labelNames: ['method', 'route'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers,
  });
  const inFlight = new Gauge({
    name: 'meridian_http_requests_in_flight',
    help: 'Requests under way.',
    registers,
  });

  app.addHook('onRequest', ({ routeOptions }, reply, done) => {
    if (isStream(routeOptions.url)) return done();
    inFlight.inc();
    reply.raw.once('close', () => inFlight.dec());
    done();
  });
  app.addHook('onResponse', (request, reply, done) => {
    const { method, routeOptions } = request;
    const route = routeOptions.url ?? 'unknown';
    requests.inc({ method, route, status: String(reply.statusCode) });
    if (!isStream(route)) durations.observe({ method, route }, reply.elapsedTime / 1000);
    done();
  });
}

/** A stream is open for as long as a page: it is neither slow nor work in progress. */
function isStream(route: string | undefined): boolean {
  return route === eventStream.path || route === meEvents.path;
}

/** Every host is a series of its own in Prometheus, and users bring theirs. */
const HOSTS_MOST = 20;
const COUNTED_MOST = 10_000;

type Backlog = {
  due: number;
  oldestDueSeconds: number;
  suspended: number;
  workers: number;
  hostsDown: number;
  deltas: number;
  retentionPosts: number;
  retentionPictures: number;
  retentionAgeSeconds: number | null;
};

const COUNTED = `counted up to ${COUNTED_MOST}`;
const BACKLOG: readonly (readonly [keyof Backlog, name: string, help: string])[] = [
  [
    'due',
    'meridian_posts_due',
    `Pending posts whose time has come and that are not held, ${COUNTED}.`,
  ],
  [
    'oldestDueSeconds',
    'meridian_posts_due_oldest_seconds',
    'How long the first of them has been due.',
  ],
  ['suspended', 'meridian_service_suspended', 'Whether the service is suspended.'],
  ['workers', 'meridian_engine_workers', 'Engine workers that are alive, of all processes.'],
  ['hostsDown', 'meridian_engine_hosts_down', 'Hosts that do not respond.'],
  ['deltas', 'meridian_counter_deltas', `Counter deltas not yet applied, ${COUNTED}.`],
  ['retentionPosts', 'meridian_retention_posts_deleted', 'Posts deleted by retention so far.'],
  [
    'retentionPictures',
    'meridian_retention_pictures_deleted',
    'Pictures without a post that were deleted so far.',
  ],
  [
    'retentionAgeSeconds',
    'meridian_retention_age_seconds',
    'How long ago retention last finished; missing before its first run.',
  ],
];

/** The other metrics are needed most when the database is down. */
function databaseMetrics(registry: Registry, db: Database, log: Logger) {
  const gauge = (name: string, help: string) => new Gauge({ name, help, registers: [registry] });
  const labelled = <Label extends string>(name: string, help: string, labelNames: Label[]) =>
    new Gauge({ name, help, labelNames, registers: [registry] });
  const connections = labelled('meridian_pool_connections', 'Open connections to the database.', [
    'state',
  ]);
  const max = gauge(
    'meridian_pool_max',
    'Most connections (DATABASE_POOL_SIZE, and three for counting reads).',
  );
  const waiting = gauge('meridian_pool_waiting', 'Requests waiting for a connection.');
  const up = gauge('meridian_database_up', 'Whether the database responded just now.');
  const backlog = BACKLOG.map(([field, name, help]) => ({ field, of: gauge(name, help) }));
  const held = labelled(
    'meridian_engine_held',
    `Posts that are held, by what they wait for, counted up to ${ENGINE_COUNT_MAX} in all.`,
    ['cause'],
  );
  const hostState = labelled(
    'meridian_engine_host_state',
    `Always 1; the labels name the state of a host. Of ${HOSTS_MOST} hosts, those in trouble first.`,
    ['host', 'state'],
  );

  return async function read(): Promise<void> {
    // The load is read before this scrape takes a connection itself.
    const load = db.poolLoad();
    connections.set({ state: 'busy' }, load.open - load.idle);
    connections.set({ state: 'idle' }, load.idle);
    max.set(load.most);
    waiting.set(load.waiting);
    held.reset();
    hostState.reset();
    try {
      const found = await readBacklog(db);
      for (const { hold, count } of await countHeld(db)) held.set({ cause: hold }, count);
      const hosts = (await listHosts(db)).slice(0, HOSTS_MOST);
      for (const { host, state } of hosts) hostState.set({ host, state }, 1);
      up.set(1);
      for (const { field, of } of backlog) {
        const value = found[field];
        if (value === null) of.remove();
        else of.set(value);
      }
    } catch (error) {
      log.warn({ err: error }, 'The database could not be asked for metrics');
      up.set(0);
      for (const { of } of backlog) of.remove();
    }
  };
}

export async function readBacklog(db: Db): Promise<Backlog> {
  const most = sql`${COUNTED_MOST}::integer`;
  return db.one<Backlog>(sql`
    select waiting.due, coalesce(extract(epoch from now() - waiting.oldest), 0)::float8 as "oldestDueSeconds",
      (select is_service_suspended::integer from service_settings) as suspended,
      (select count(*)::integer from engine_workers
       where ${IS_CLOCK_RIGHT} and seen_at > now() - make_interval(secs => ${WORKER_ALIVE_SECONDS})) as workers,
      (select count(*)::integer from hosts
       where state = 'DOWN' and not ${IS_FORGOTTEN}) as "hostsDown",
      (select count(*)::integer from (
         select from counter_deltas limit ${most}
       ) as pending) as deltas,
      posts_deleted as "retentionPosts", pictures_deleted as "retentionPictures",
      extract(epoch from now() - finished_at)::float8 as "retentionAgeSeconds"
    from retention_state, (
      select count(*)::integer as due, min(scheduled_at) as oldest from (
        select scheduled_at from posts where ${CLAIM_IS_NEAR} and (${IS_OVERDUE}) is true
        order by claim_at limit ${most}) as overdue) as waiting`);
}
