import { QueryObserver } from '@tanstack/react-query';
import { afterEach, expect, test } from 'vitest';
import { queryClient } from '@meridian/ui/api/query.ts';
import { changeRead, readAgain } from './reads.ts';

const queryKey = ['posts'];

/** Every read waits for its own response, which the test gives. */
function watch() {
  const responses: ((posts: string[]) => void)[] = [];
  const queryFn = ({ signal }: { signal: AbortSignal }) =>
    new Promise<string[]>((resolve, reject) => {
      responses.push(resolve);
      signal.addEventListener('abort', () => reject(new Error('called off')));
    });
  const observer = new QueryObserver(queryClient, { queryKey, queryFn, retry: false });
  const stop = observer.subscribe(() => {});
  const respond = async (index: number, posts: string[]) => {
    await expect.poll(() => responses.length).toBeGreaterThan(index);
    responses[index]?.(posts);
  };
  return { observer, respond, reads: () => responses.length, stop };
}

afterEach(() => queryClient.clear());

test('a change is not undone by a read that began before it', async () => {
  const { observer, respond, stop } = watch();
  await respond(0, ['first', 'second']);
  await expect.poll(() => observer.getCurrentResult().data).toEqual(['first', 'second']);
  void readAgain();
  await expect.poll(() => observer.getCurrentResult().isFetching).toBe(true);
  changeRead<string[]>(queryKey, (posts) => posts.filter((post) => post !== 'first'));
  await respond(1, ['first', 'second']);
  await expect.poll(() => observer.getCurrentResult().isFetching).toBe(false);
  expect(observer.getCurrentResult().data).toEqual(['second']);
  stop();
});

test('a change that comes while the page reads is read after that, and once', async () => {
  const { observer, respond, reads, stop } = watch();
  const told = [readAgain(), readAgain()];
  await respond(0, ['before']);
  await respond(1, ['after']);
  await Promise.all(told);
  expect(observer.getCurrentResult().data).toEqual(['after']);
  expect(reads()).toBe(2);
  stop();
});
