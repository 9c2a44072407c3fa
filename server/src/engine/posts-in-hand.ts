import type { Logger } from 'pino';
import type { ClaimedPost } from './claimed-post.ts';
import type { Clock } from './clock.ts';
import type { Switchboard } from './switchboard.ts';

type InHand = { post: ClaimedPost; isByHand: boolean; leasedAt: number; done: Promise<void> };

type Taking = {
  /** `performance.now()` before the claim. */
  claimedAt: number;
  /** Published by an administrator: it has no time of its own to be late for. */
  isByHand?: boolean;
  work: () => Promise<void>;
};

/** What this worker has claimed and not yet settled. */
export function createPostsInHand(options: {
  switchboard: Pick<Switchboard, 'hold' | 'letGo'>;
  clock: Pick<Clock, 'now'>;
  log: Logger;
  /** No more are claimed while there are so many. */
  most: number;
  /** There was no room, and there is for half of them again. */
  onRoom: () => void;
}) {
  const { switchboard, clock, log, most, onRoom } = options;
  const posts = new Map<string, InHand>();
  let wasFull = false;
  return {
    isEmpty: () => posts.size === 0,
    isFull(): boolean {
      wasFull = posts.size >= most;
      return wasFull;
    },
    isByHand: ({ id }: ClaimedPost) => posts.get(id)?.isByHand === true,

    take(post: ClaimedPost, { claimedAt, isByHand = false, work }: Taking): void {
      switchboard.hold(post, claimedAt);
      const done = work()
        // Its lease ends, and the next attempt repeats what the journal says.
        .catch((error: unknown) =>
          log.error({ err: error, postId: post.id }, 'A delivery broke off'),
        )
        .finally(() => {
          switchboard.letGo(post);
          // Claimed once more meanwhile, it is another's.
          if (posts.get(post.id)?.post === post) posts.delete(post.id);
          if (wasFull && posts.size < most / 2) onRoom();
        });
      posts.set(post.id, { post, isByHand, leasedAt: clock.now(), done });
    },

    /** Renews the leases of those whose lease is half over. */
    async renew(leaseMs: number, renewLeases: (posts: ClaimedPost[]) => Promise<void>) {
      const old = [...posts.values()].filter(
        ({ leasedAt }) => clock.now() - leasedAt > leaseMs / 2,
      );
      if (old.length === 0) return;
      await renewLeases(old.map(({ post }) => post));
      for (const one of old) one.leasedAt = clock.now();
    },

    /** Ends when all of them are settled or given back. */
    async settled(): Promise<void> {
      await Promise.all([...posts.values()].map(({ done }) => done));
    },
  };
}
