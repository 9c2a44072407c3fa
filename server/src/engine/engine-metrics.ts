import { Counter, Histogram, Registry } from 'prom-client';
import type { Claim } from './claim.store.ts';

const LATENESS_BUCKETS = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2, 5, 15, 60, 300];

/** What this process did, for Prometheus; `totals` are the same numbers for the heartbeat. */
export function createEngineMetrics() {
  const registry = new Registry();
  const registers = [registry];
  const counter = <Label extends string>(name: string, help: string, labelNames: Label[] = []) =>
    new Counter({ name: `meridian_engine_${name}`, help, labelNames, registers });
  const totals = { claimed: 0, published: 0 };
  const outcomes = counter('published_total', 'Posts published.', ['outcome']);
  const claims = counter('claims_total', 'Claim statements.');
  const claimed = counter('claimed_total', 'Posts claimed.');
  const held = counter('held_total', 'Posts held at their claim.');
  const failed = counter('failed_total', 'Posts failed.', ['cause']);
  const claimSeconds = new Histogram({
    name: 'meridian_engine_claim_seconds',
    help: 'Duration of a claim statement.',
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 1],
    registers,
  });
  return {
    registry,
    totals,
    failed,
    retries: counter('retries_total', 'Calls that are made again.'),
    fenced: counter('fenced_total', 'Settlements of posts that were no longer this worker’s.'),
    lateness: new Histogram({
      name: 'meridian_engine_lateness_seconds',
      help: 'From the scheduled time to the call that published the post.',
      buckets: LATENESS_BUCKETS,
      registers,
    }),
    published: {
      inc(labels: { outcome: string }): void {
        totals.published += 1;
        outcomes.inc(labels);
      },
    },
    observeClaim({ posts, held: heldNow, tooLate }: Claim, seconds: number): void {
      totals.claimed += posts.length;
      claims.inc();
      claimSeconds.observe(seconds);
      claimed.inc(posts.length);
      held.inc(heldNow);
      if (tooLate > 0) failed.inc({ cause: 'too_late' }, tooLate);
    },
  };
}
