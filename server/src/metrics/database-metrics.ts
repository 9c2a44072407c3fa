import { ENGINE_COUNT_MAX } from '@meridian/contract/engine';
import type { Logger } from 'pino';
import { Gauge } from 'prom-client';
import type { Registry } from 'prom-client';
import type { Database } from '../db/database.ts';
import { countHeld, listHosts } from '../features/engine/engine.store.ts';
import { COUNTED_MOST, readBacklog } from './backlog.store.ts';

/** Every host is a series of its own in Prometheus, and users bring theirs. */
const HOSTS_MOST = 20;

/**
 * The pool and what waits in the database, to be read before every scrape. A database that does not
 * respond is reported as down; the rest of the metrics is needed most then.
 */
export function databaseMetrics(registry: Registry, db: Database, log: Logger) {
  const gauge = (name: string, help: string) => new Gauge({ name, help, registers: [registry] });
  const labelled = <Label extends string>(name: string, help: string, labelNames: Label[]) =>
    new Gauge({ name, help, labelNames, registers: [registry] });
  const connections = labelled('meridian_pool_connections', 'Open connections to the database.', [
    'state',
  ]);
  const max = gauge(
    'meridian_pool_max',
    'Most connections (DATABASE_POOL_SIZE, and three for the desk).',
  );
  const waiting = gauge('meridian_pool_waiting', 'Requests waiting for a connection.');
  const up = gauge('meridian_database_up', 'Whether the database responded just now.');
  const counted = `counted up to ${COUNTED_MOST}`;
  const backlog = {
    due: gauge(
      'meridian_posts_due',
      `Pending posts whose time has come and that are not held, ${counted}.`,
    ),
    oldestDueSeconds: gauge(
      'meridian_posts_due_oldest_seconds',
      'How long the first of them has been due.',
    ),
    suspended: gauge('meridian_service_suspended', 'Whether the service is suspended.'),
    workers: gauge('meridian_engine_workers', 'Engine workers that are alive, of all processes.'),
    hostsDown: gauge('meridian_engine_hosts_down', 'Hosts that do not respond.'),
    deltas: gauge('meridian_counter_deltas', `Counter deltas not yet applied, ${counted}.`),
    retentionPosts: gauge('meridian_retention_posts_deleted', 'Posts deleted by retention so far.'),
    retentionPictures: gauge(
      'meridian_retention_pictures_deleted',
      'Pictures without a post that were deleted so far.',
    ),
    retentionAgeSeconds: gauge(
      'meridian_retention_age_seconds',
      'How long ago retention last finished; missing before its first run.',
    ),
  };
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
    // Before this takes a connection itself.
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
      backlog.due.set(found.due);
      backlog.oldestDueSeconds.set(found.oldestDueSeconds);
      backlog.suspended.set(found.suspended);
      backlog.workers.set(found.workers);
      backlog.hostsDown.set(found.hostsDown);
      backlog.deltas.set(found.deltas);
      backlog.retentionPosts.set(found.retentionPosts);
      backlog.retentionPictures.set(found.retentionPictures);
      if (found.retentionAgeSeconds === null) backlog.retentionAgeSeconds.remove();
      else backlog.retentionAgeSeconds.set(found.retentionAgeSeconds);
    } catch (error) {
      log.warn({ err: error }, 'The database could not be asked for metrics');
      up.set(0);
      for (const unknown of Object.values(backlog)) unknown.remove();
    }
  };
}
