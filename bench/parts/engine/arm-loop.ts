import { setTimeout as delay } from 'node:timers/promises';
import { POST_COLLECTION } from '../../../server/src/network/network.ts';
import { sinkNetwork, CONCURRENCY } from './calls.ts';
import { postText } from './post-text.ts';
import type { RunningArm, WorkerOrder } from './workers.ts';

/** No database: what calling the hosts costs by itself. */
export async function runLoop(order: WorkerOrder): Promise<RunningArm> {
  const { run, first, posts, hosts } = order;
  const network = sinkNetwork();
  const createdAt = new Date().toISOString();
  let next = first;
  const send = async (startAt: number) => {
    await delay(Math.max(0, startAt - Date.now()));
    while (next < first + posts) {
      const number = next;
      next += 1;
      const account = {
        userId: '',
        did: `did:plc:${number}`,
        host: hosts[number % hosts.length] ?? '',
      };
      const record = { $type: POST_COLLECTION, text: postText(run, number), createdAt } as const;
      await network.putRecord(account, { rkey: String(number), cid: '', record });
    }
  };
  let sending: Promise<unknown> = Promise.resolve();
  return {
    begin(startAt) {
      sending = Promise.all(Array.from({ length: CONCURRENCY }, () => send(startAt)));
    },
    async stop() {
      next = first + posts;
      await sending;
      await network.close();
    },
  };
}
