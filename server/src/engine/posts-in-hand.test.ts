import { expect, test } from 'vitest';
import { createLog } from '../log.ts';
import type { ClaimedPost } from './claim.ts';
import { createPostsInHand } from './switches.ts';
import { postOf } from './testing/preparing.ts';

/** Work that ends when the test says so, and whatever was told to the engine. */
function setUp(most = 10) {
  const seen = { now: 0, rooms: 0, ended: 0, logged: [] as string[] };
  const inHand = createPostsInHand({
    switches: {
      hold: () => {},
      letGo: () => {
        seen.ended += 1;
      },
    },
    now: () => seen.now,
    log: createLog('info', { write: (line) => seen.logged.push(line) }),
    most,
    onRoom: () => {
      seen.rooms += 1;
    },
  });
  function take(post: ClaimedPost, { isByHand = false, claimedAt = seen.now } = {}) {
    const { promise: work, resolve: end, reject: breakOff } = Promise.withResolvers<void>();
    inHand.take(post, { claimedAt, isByHand, work: () => work });
    return { end, breakOff };
  }
  return { seen, inHand, take };
}

const numbered = (count: number) =>
  Array.from({ length: count }, (_, index) => postOf({ id: `post ${index}` }));

test('there is room again once half of a full hand is settled', async () => {
  const { seen, inHand, take } = setUp(4);
  const taken = numbered(4).map((post) => take(post));
  expect(inHand.isFull()).toBe(true);
  taken.slice(0, 3).forEach(({ end }) => end());
  await expect.poll(() => seen.rooms).toBe(1);
  expect(inHand.isFull()).toBe(false);
  taken[3]?.end();
  await inHand.settled();
  expect(inHand.isEmpty()).toBe(true);
  expect(seen.rooms).toBe(1);
});

test('leases are renewed when half of them is over', async () => {
  const { seen, inHand, take } = setUp();
  const [old, young] = numbered(2) as [ClaimedPost, ClaimedPost];
  const renewed: string[][] = [];
  const renew = () =>
    inHand.renew(10, async (posts) => {
      renewed.push(posts.map(({ id }) => id));
    });
  take(old);
  seen.now = 4;
  take(young);
  seen.now = 6;
  await renew();
  await renew();
  seen.now = 10;
  await renew();
  expect(renewed).toEqual([[old.id], [young.id]]);
});

test('a lease counts from before the statement that gave it, however long that took', async () => {
  const { seen, inHand, take } = setUp();
  let renewals = 0;
  const renew = () =>
    inHand.renew(10, async () => {
      renewals += 1;
      seen.now += 6;
    });
  seen.now = 6;
  take(postOf({}), { claimedAt: 0 });
  await renew();
  await renew();
  expect(renewals).toBe(2);
});

test('a post that was claimed once more stays in hand when its first delivery ends', async () => {
  const { seen, inHand, take } = setUp();
  const first = take(postOf({ attempt: 1 }));
  const again = postOf({ attempt: 2 });
  const second = take(again, { isByHand: true });
  first.end();
  await expect.poll(() => seen.ended).toBe(1);
  expect(inHand.isByHand(again)).toBe(true);
  second.end();
  await inHand.settled();
  expect(inHand.isEmpty()).toBe(true);
});

test('a delivery that breaks off is logged with its post', async () => {
  const { seen, inHand, take } = setUp();
  const post = postOf({});
  take(post).breakOff(new Error('The database is gone'));
  await inHand.settled();
  expect(seen.logged.join('')).toContain('A delivery broke off');
  expect(seen.logged.join('')).toContain(post.id);
});
