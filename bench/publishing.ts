import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { fastify } from 'fastify';
import type { Closers } from '../server/src/background-task.ts';
import { startEngine } from '../server/src/engine/engine.ts';
import { createLog } from '../server/src/log.ts';
import { cidOfRecord } from '../server/src/network/identity.ts';
import { createHeaderNetwork } from '../server/src/network/testing/header-network.ts';
import { createLocalStore } from '../server/src/objects/local-store.ts';
import { startChild } from './servers.ts';

const HOSTS = 20;
const RESPONSE_MS = 50;

/** First arrivals by the number of the post, and the count of those that came under a second key. */
type Received = { arrivals: Map<number, { at: number; rkey: string }>; duplicates: number };
export type Hosts = { urls: string[]; begin: () => Received };
type PutRecord = { repo: string; rkey: string; record: { text: string } };

/** Starts hosts of the network in this process, which only waits meanwhile. */
export async function startHosts(closers: Closers): Promise<Hosts> {
  let received: Received = { arrivals: new Map(), duplicates: 0 };
  const urls: string[] = [];
  for (let host = 0; host < HOSTS; host += 1) {
    const app = fastify({ forceCloseConnections: true });
    closers.add(() => app.close());
    app.post<{ Body: PutRecord }>('/xrpc/com.atproto.repo.putRecord', async ({ body }) => {
      const at = Date.now();
      const { repo, rkey, record } = body;
      // `insertDuePosts` ends each text with a number.
      const number = Number(record.text.split(' ').at(-1));
      const known = received.arrivals.get(number);
      if (known === undefined) received.arrivals.set(number, { at, rkey });
      // The same key again is a repetition, which changes nothing.
      else if (known.rkey !== rkey) received.duplicates += 1;
      const cid = cidOfRecord(record);
      await delay(RESPONSE_MS);
      return { uri: `at://${repo}/app.bsky.feed.post/${rkey}`, cid, commit: { cid, rev: rkey } };
    });
    urls.push(await app.listen({ host: '127.0.0.1', port: 0 }));
  }
  return { urls, begin: () => (received = { arrivals: new Map(), duplicates: 0 }) };
}

type Order = { connectionString: string };

/** Starts an engine in a process of its own. */
export function startEngineProcess(connectionString: string, closers: Closers) {
  return startChild(import.meta.filename, { connectionString } satisfies Order, closers);
}

if (import.meta.main) {
  const [order] = await once(process, 'message');
  const engine = await startEngine({
    // Sent by `startEngineProcess`.
    connection: order as Order,
    network: createHeaderNetwork({ authorize: async () => ({}) }),
    // The posts have no pictures.
    objects: createLocalStore({ root: '/nonexistent', publicUrl: (key) => key }),
    // As the product sets them, but for the limits that spare real hosts.
    options: {
      lookaheadMs: 1_500,
      concurrency: 128,
      hostConcurrency: 16,
      hostPerSecond: Infinity,
      egress: 'bench',
      leaseMs: 15_000,
      lateLimitMs: 3_600_000,
      retryWindowMs: 600_000,
    },
    log: createLog('warn'),
    version: 'bench',
  });
  process.once('disconnect', () => void engine.stop().then(() => process.exit(0)));
  process.send?.('ready');
}
