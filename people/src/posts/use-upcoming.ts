import type { MePost } from '@meridian/contract/me/posts';
import { isNotFound } from '../../../console/src/api/api-error.ts';
import { calls } from '../api/calls.ts';
import { serverNow } from '../api/server-clock.ts';
import { usePolled } from '../api/use-polled.ts';

/** The soonest: those that a person looks for, and whose slots are taken. */
export const MOST = 100;
/** Of those that leave the list at once; the others are found under their status. */
const FOLLOWED = 20;
const QUIET_MS = 15_000;
const SOON_MS = 2_000;

export function isOver({ status }: MePost): boolean {
  return status !== 'PENDING' && status !== 'PROCESSING';
}

/** Soon while a post is due, ever less often while it waits; otherwise when the next one is due. */
export function pauseAfter(posts: readonly MePost[], now: number): number {
  const pauses = posts
    .filter((post) => !isOver(post))
    .map(({ scheduledAt }) => {
      const leftMs = Date.parse(scheduledAt) - now;
      return leftMs > 0 ? leftMs + SOON_MS / 2 : Math.max(SOON_MS, -leftMs / 4);
    });
  return Math.min(QUIET_MS, ...pauses);
}

/**
 * What is still to come, and what became of a post that was listed here: it stays, with its new
 * status, as long as the page does.
 */
export async function loadUpcoming(before: readonly MePost[] | undefined, signal: AbortSignal) {
  const list = (status: 'PENDING' | 'PROCESSING') =>
    calls.mePostList({ query: { status, limit: MOST, order: 'asc' }, signal });
  const [{ posts }, { posts: open }] = await Promise.all([list('PENDING'), list('PROCESSING')]);
  // One that is claimed in between is in both.
  open.push(...posts.filter(({ id }) => !open.some((post) => post.id === id)));
  const left = (before ?? []).filter(({ id }) => !open.some((post) => post.id === id));
  const followed = left.filter((post) => !isOver(post)).slice(0, FOLLOWED);
  const found = await Promise.all(followed.map((post) => read(post, signal)));
  return bySchedule([...open, ...left.filter(isOver), ...found.filter((post) => post !== null)]);
}

const bySchedule = (posts: MePost[]) =>
  posts.toSorted((a, b) => a.scheduledAt.localeCompare(b.scheduledAt));

/** With a post that was scheduled or changed just now, before the list is read again. */
export function withPost(posts: readonly MePost[], post: MePost): MePost[] {
  return bySchedule([...posts.filter(({ id }) => id !== post.id), post]);
}

/** As it is now; null when it is no longer there. */
export async function read({ id }: MePost, signal?: AbortSignal): Promise<MePost | null> {
  try {
    return (await calls.mePostGet({ params: { id }, signal })).post;
  } catch (error) {
    if (isNotFound(error)) return null;
    throw error;
  }
}

export function useUpcoming() {
  return usePolled<MePost[]>(loadUpcoming, (posts) => pauseAfter(posts, serverNow()));
}
