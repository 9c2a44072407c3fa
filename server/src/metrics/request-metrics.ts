import { eventStream } from '@meridian/contract/events';
import { meEvents } from '@meridian/contract/me/events';
import type { FastifyInstance } from 'fastify';
import { Counter, Gauge, Histogram } from 'prom-client';
import type { Registry } from 'prom-client';

/** From an index lookup to the longest a handler may take. */
const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Counts and times every request from now on, by the pattern of its route and never by its URL. */
export function measureRequests(app: FastifyInstance, registry: Registry): void {
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
    buckets: BUCKETS,
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

/** Open for as long as a page is: it is neither slow nor work in progress. */
function isStream(route: string | undefined): boolean {
  return route === eventStream.path || route === meEvents.path;
}
