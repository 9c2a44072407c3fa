import { PLAN_LIMIT_DISPLAY_DEFAULTS, type PlanLimits } from '@meridian/contract/plan-limits';
import { limitText, type LimitValue } from '../../components/limit-text.ts';
import { NOTHING } from '../../ui/nothing.ts';

/** The limits on a card, in reading order, under words that fit into half of it. */
const SHOWN = [
  ['pending_posts_limit', 'Pending posts'],
  ['schedule_interval_minutes', 'Interval'],
  ['max_post_length', 'Max length'],
  ['thread_posts_limit', 'Thread posts'],
  ['max_images_per_post', 'Images'],
  ['max_image_size_mb', 'Image size'],
  ['storage_mb', 'Storage'],
] as const;

const DEFAULTS: Readonly<Record<string, number>> = PLAN_LIMIT_DISPLAY_DEFAULTS;

/** A limit that is null is not available; one that is not there is not known. */
const textOf = (name: string, value: LimitValue) =>
  value === undefined ? NOTHING : limitText(name, value);

export function cardLimits(limits: PlanLimits): { label: string; text: string }[] {
  return SHOWN.map(([name, label]) => ({
    label,
    text: textOf(name, limits[name] ?? DEFAULTS[name] ?? limits[name]),
  }));
}
