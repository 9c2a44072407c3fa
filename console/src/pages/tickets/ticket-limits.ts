import { PLAN_LIMIT_LABELS, type PlanLimitName } from '@meridian/contract/plan-limits';
import { type LimitInForce, limitInForce, type Limits } from '../../components/limits-in-force.ts';

export interface LimitGroup {
  title: string;
  limits: readonly LimitInForce[];
}

const GROUPS: readonly { title: string; names: readonly PlanLimitName[] }[] = [
  {
    title: 'Posts & Scheduling',
    names: [
      'monthly_posts_limit',
      'pending_posts_limit',
      'concurrent_posts_limit',
      'max_schedule_days',
      'schedule_interval_minutes',
      'api_rate_limit_per_hour',
    ],
  },
  {
    title: 'Content',
    names: [
      'max_post_length',
      'markdown_support',
      'thread_posts',
      'thread_posts_limit',
      'storage_mb',
      'data_retention_days',
    ],
  },
  { title: 'Images', names: ['max_images_per_post', 'max_image_size_mb'] },
  {
    title: 'Video',
    names: ['video_upload_enabled', 'max_video_size_mb', 'video_processing_minutes_per_month'],
  },
];

/** The group of limits that have no place of their own. */
const REST = 'Content';

export function compareLimits(ofPlan: Limits, override: Limits | null): LimitGroup[] {
  const unknown = [...new Set([...Object.keys(ofPlan), ...Object.keys(override ?? {})])].filter(
    (name) => !(name in PLAN_LIMIT_LABELS),
  );
  return GROUPS.map(({ title, names }) => ({
    title,
    limits: [...names, ...(title === REST ? unknown : [])].map((name) =>
      limitInForce(name, ofPlan, override),
    ),
  }));
}

export function countOverrides(groups: readonly LimitGroup[]): number {
  return groups.flatMap(({ limits }) => limits).filter(({ isOverridden }) => isOverridden).length;
}

export function overridesText(count: number): string {
  if (count === 0) return 'No overrides';
  return count === 1 ? '1 override' : `${count} overrides`;
}
