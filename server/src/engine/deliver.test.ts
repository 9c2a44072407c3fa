import { expect, test, vi } from 'vitest';
import { createLog } from '../log.ts';
import { ObjectStoreError } from '../objects/objects.ts';
import { createClock } from './heartbeat.ts';
import type { ClaimedPost } from './claim.ts';
import { createDelivery } from './deliver.ts';
import type { DeliveryOptions } from './deliver.ts';
import { prepare } from './prepare.ts';
import { postOf } from './testing/preparing.ts';

const EMBED = { $type: 'app.bsky.embed.images', images: [{ key: 'pictures/a.png', alt: '' }] };
/** A post without references asks no host. */
const network = { getRecord: () => Promise.reject(new Error('Not asked')) };
const logged: string[] = [];
const log = createLog('warn', { write: (line) => logged.push(line) });

/** Its picture cannot be read while the post is prepared; what else a delivery needs is not reached. */
async function failToPrepare(attempt: number, faults: number, error: Error) {
  const settleUnpublished = vi.fn<DeliveryOptions['settleUnpublished']>(async () => {});
  const deliver = createDelivery({
    clock: createClock(log),
    log,
    workerId: 'test',
    options: { lateLimitMs: 3_600_000 },
    prepare: (post: ClaimedPost, now: number) =>
      prepare(post, { network, objects: { get: () => Promise.reject(error) }, account: post, now }),
    countFaults: async () => faults,
    settleUnpublished,
  } as unknown as DeliveryOptions);
  await deliver(postOf({ attempt, embed: EMBED }), null);
  return settleUnpublished.mock.calls;
}

test.each([
  { attempt: 1, faults: 0, status: 'PENDING' },
  // Put off often by a busy or dead host.
  { attempt: 9, faults: 2, status: 'PENDING' },
  { attempt: 4, faults: 3, status: 'FAILED' },
])('attempt $attempt after $faults faults of our own: $status', async ({ status, ...before }) => {
  const [[settled] = []] = await failToPrepare(
    before.attempt,
    before.faults,
    new TypeError('A bug'),
  );
  const call = { error: 'internal', host: 'pds.example', worker: 'test' };
  expect(settled).toMatchObject({ status, cause: 'internal', isUnsent: true, call });
});

test('a store that does not respond is logged, and fails no post however often', async () => {
  logged.length = 0;
  const [[settled] = []] = await failToPrepare(9, 3, new ObjectStoreError('No response'));
  expect(settled).toMatchObject({ status: 'PENDING', cause: 'internal', isUnsent: true });
  expect(logged).toEqual([
    expect.stringContaining('"msg":"The pictures of a post cannot be read"'),
  ]);
});
