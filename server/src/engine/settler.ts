import { createBatcher } from './batcher.ts';
import { createOneByOne } from './one-by-one.ts';

const SETTLE_GAP_MS = 15;

/**
 * Settles posts in batches. One that another transaction has locked, an administrator's for example,
 * keeps no other waiting: it is left out and settled by itself.
 */
export function createSettler<Post>(
  settle: (posts: Post[], locked: 'wait' | 'skip') => Promise<Post[]>,
  onFenced: (post: Post) => Promise<void>,
) {
  const oneByOne = createOneByOne();
  const settleAlone = (post: Post) =>
    oneByOne(async () => {
      for (const fenced of await settle([post], 'wait')) await onFenced(fenced);
    });
  const together = createBatcher(
    async (posts: Post[]) => {
      const left = new Set(await settle(posts, 'skip'));
      return (post) => (left.has(post) ? settleAlone(post) : undefined);
    },
    { minGapMs: SETTLE_GAP_MS },
  );
  return async (post: Post): Promise<void> => {
    await together.add(post);
  };
}
