import { expect, test, vi } from 'vitest';
import { createLog } from '../log.ts';
import { createClock } from './clock.ts';
import { createDelivery } from './deliver.ts';
import type { DeliveryOptions } from './deliver.ts';
import { postOf } from './testing/preparing.ts';

const EMBED = { $type: 'app.bsky.embed.images', images: [{ key: 'pictures/a.png', alt: '' }] };
const log = createLog('silent');

/** A fault of our own while the post is prepared; what else a delivery needs is not reached. */
async function failToPrepare(attempt: number, faults: number) {
  const settleUnpublished = vi.fn<DeliveryOptions['settleUnpublished']>(async () => {});
  const deliver = createDelivery({
    clock: createClock(log),
    log,
    workerId: 'test',
    options: { lateLimitMs: 3_600_000 },
    objects: { get: () => Promise.reject(new TypeError('A bug')) },
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
  const [[settled] = []] = await failToPrepare(before.attempt, before.faults);
  const call = { error: 'internal', host: 'pds.example', worker: 'test' };
  expect(settled).toMatchObject({ status, cause: 'internal', isUnsent: true, call });
});
