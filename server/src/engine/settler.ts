import { createBatcher } from './batcher.ts';

const SETTLE_GAP_MS = 15;

/**
 * Settles posts in batches. One that another transaction has locked, an administrator's for example,
 * keeps no other waiting: it is left out and settled by itself.
 */
export function createSettler<Post>(
  settle: (posts: Post[], locked: 'wait' | 'skip') => Promise<Post[]>,
  onFenced: (post: Post) => Promise<void>,
) {
  const alone = createBatcher(
    async (posts: Post[]) => {
      for (const fenced of await settle(posts, 'wait')) await onFenced(fenced);
      return () => {};
    },
    { maxItems: 1 },
  );
  const together = createBatcher(
    async (posts: Post[]) => {
      const left = new Set(await settle(posts, 'skip'));
      return (post) => (left.has(post) ? alone.add(post) : undefined);
    },
    { minGapMs: SETTLE_GAP_MS },
  );
  return async (post: Post): Promise<void> => {
    await together.add(post);
  };
}
