import { NETWORK_LIMITS } from '@meridian/contract/network';
import type { PlanLimits } from '@meridian/contract/plan-limits';

/** The limits that the page itself keeps to; the server has the last word on every one. */
export type Limits = {
  characters: number;
  pictures: number;
  pictureBytes: number;
  /** Posts of one thread, the first included. */
  parts: number;
  slotMinutes: number;
  /** -1 for no limit. */
  days: number;
};

/** A limit of the plan, or what holds where the plan does not name it. */
export function limitOf(limits: PlanLimits, name: string, otherwise: number): number {
  const value = limits[name];
  return typeof value === 'number' ? value : otherwise;
}

export function limitsOf(limits: PlanLimits): Limits {
  const { characters, images, imageBytes, threadPosts } = NETWORK_LIMITS;
  const further = limits['thread_posts'] === true ? limitOf(limits, 'thread_posts_limit', 1) : 0;
  return {
    characters: Math.min(limitOf(limits, 'max_post_length', characters), characters),
    pictures: Math.min(limitOf(limits, 'max_images_per_post', images), images),
    pictureBytes: Math.min(limitOf(limits, 'max_image_size_mb', 1) * 1_000_000, imageBytes),
    parts: Math.min(1 + further, threadPosts),
    slotMinutes: limitOf(limits, 'schedule_interval_minutes', 1),
    days: limitOf(limits, 'max_schedule_days', -1),
  };
}
