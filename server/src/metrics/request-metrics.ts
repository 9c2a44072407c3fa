import type { FastifyInstance } from 'fastify';
import { single } from './exposition.ts';
import type { Family } from './exposition.ts';
import { createCounter, createHistogram } from './series.ts';

/** From an index lookup to the longest a handler may take. */
const BOUNDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Counts and times every request from now on, by the pattern of its route and never by its URL. */
export function measureRequests(app: FastifyInstance): () => Family[] {
  const requests = createCounter('meridian_http_requests_total', 'Requests answered.');
  const durations = createHistogram(
    'meridian_http_request_duration_seconds',
    'Time from the arrival of a request to the end of its answer.',
    BOUNDS,
  );
  let inFlight = 0;

  app.addHook('onRequest', (_, reply, done) => {
    inFlight += 1;
    reply.raw.once('close', () => {
      inFlight -= 1;
    });
    done();
  });
  app.addHook('onResponse', (request, reply, done) => {
    const place = { method: request.method, route: request.routeOptions.url ?? 'unknown' };
    requests.add({ ...place, status: String(reply.statusCode) });
    durations.observe(reply.elapsedTime / 1000, place);
    done();
  });

  return () => [
    requests.family(),
    durations.family(),
    single('gauge', 'meridian_http_requests_in_flight', 'Requests under way.', inFlight),
  ];
}
