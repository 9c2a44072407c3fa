import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from 'pg';

const POLL_MS = 500;

/** Resolves when every post is settled and every change is in the counters. */
export async function untilSettled(client: Client): Promise<void> {
  for (;;) {
    const { rows } = await client.query<{ settled: boolean }>(
      `select not exists (select from posts where status = 'PROCESSING')
          and not exists (select from posts where claim_at <= now())
          and not exists (select from counter_deltas) as settled`,
    );
    if (rows[0]?.settled === true) return;
    await delay(POLL_MS);
  }
}
