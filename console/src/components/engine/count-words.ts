import { clockDistance, ENGINE_COUNT_MAX } from '@meridian/contract/engine';
import { formatNumber } from '../../ui/format-number.ts';

/** '1,204', or '100,000+' where the server stopped counting. */
export function countWithCeiling(count: number, ceiling: number = ENGINE_COUNT_MAX): string {
  return formatNumber(count) + (count >= ceiling ? '+' : '');
}

/** '1 post', '1,204 posts' */
export function postsText(count: number): string {
  return `${countWithCeiling(count)} ${count === 1 ? 'post' : 'posts'}`;
}

/** The sentence for a worker that publishes nothing because its clock is wrong. */
export function clockSentence(offMs: number): string {
  return `Its clock is ${clockDistance(offMs)} the database's. Set the clock, and it goes on by itself.`;
}
