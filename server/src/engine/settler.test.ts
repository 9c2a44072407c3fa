import { expect, test } from 'vitest';
import { createSettler } from './settler.ts';

test('a locked post keeps no other waiting, and is settled once its lock is gone', async () => {
  const lock = Promise.withResolvers<void>();
  const fenced: string[] = [];
  const settle = createSettler<string>(
    async (posts, locked) => {
      if (locked === 'skip') return posts.filter((post) => post !== 'free');
      await lock.promise;
      return posts.filter((post) => post === 'fenced');
    },
    async (post) => void fenced.push(post),
  );
  const later = Promise.all([settle('locked'), settle('fenced')]);
  await settle('free');
  await settle('free');
  expect(fenced).toEqual([]);
  lock.resolve();
  await later;
  expect(fenced).toEqual(['fenced']);
});

test('what cannot be settled rejects, and only that', async () => {
  const settle = createSettler<string>(
    async (posts, locked) => {
      if (locked === 'wait') throw new Error('Timed out');
      return posts.filter((post) => post === 'locked');
    },
    async () => {},
  );
  const [locked, free] = await Promise.allSettled([settle('locked'), settle('free')]);
  expect([locked.status, free.status]).toEqual(['rejected', 'fulfilled']);
});
