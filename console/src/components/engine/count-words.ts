import { ENGINE_COUNT_MAX } from '@meridian/contract/engine';
import { formatNumber } from '../../ui/format-number.ts';

/** '1,204', or '100,000+' where the server stopped counting. */
export function countWithCeiling(count: number, ceiling: number = ENGINE_COUNT_MAX): string {
  return formatNumber(count) + (count >= ceiling ? '+' : '');
}

/** '1 post', '1,204 posts' */
export function postsText(count: number): string {
  return `${countWithCeiling(count)} ${count === 1 ? 'post' : 'posts'}`;
}

/** Of a worker that publishes nothing because its clock is off; below zero it is ahead. */
export function clockSentence(offMs: number): string {
  const far = `${Math.round(Math.abs(offMs) / 1000)} s ${offMs > 0 ? 'behind' : 'ahead of'}`;
  return `Its clock is ${far} the database's. Set the clock, and it goes on by itself.`;
}
