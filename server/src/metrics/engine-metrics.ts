import { Counter, Histogram, Registry } from 'prom-client';
import type { Claim } from '../engine/claim.ts';

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
  const histogram = (name: string, help: string, buckets: number[]) =>
    new Histogram({ name: `meridian_engine_${name}`, help, buckets, registers });
  const claimSeconds = histogram(
    'claim_seconds',
    'Duration of a claim statement.',
    [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 1],
  );
  const switchSeconds = histogram(
    'switch_seconds',
    'From a suspension of the service until this process knew of it and sent nothing more.',
    [0.01, 0.05, 0.1, 0.15, 0.25, 0.5, 1, 2, 5],
  );
  return {
    registry,
    totals,
    failed,
    retries: counter('retries_total', 'Calls that are made again.'),
    fenced: counter('fenced_total', 'Settlements of posts that were no longer this worker’s.'),
    disconnected: counter('disconnected_total', 'Accounts that their hosts refused.', ['state']),
    lateness: histogram(
      'lateness_seconds',
      'From the scheduled time to the call that published the post.',
      [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2, 5, 15, 60, 300],
    ),
    onSuspended: (ago: { ms: number }) => switchSeconds.observe(ago.ms / 1000),
    published: {
      inc(labels: { outcome: string }): void {
        totals.published += 1;
        outcomes.inc(labels);
      },
    },
    observeClaim({ posts, held: heldNow }: Claim, seconds: number): void {
      totals.claimed += posts.length;
      claims.inc();
      claimSeconds.observe(seconds);
      claimed.inc(posts.length);
      held.inc(heldNow);
    },
  };
}

export type EngineMetrics = ReturnType<typeof createEngineMetrics>;
