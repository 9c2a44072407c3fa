import * as z from 'zod/mini';
import { flag, INT_MAX, integer, numberChoice, UNLIMITED } from './fields.ts';

export const SCHEDULE_INTERVALS = [1, 5, 10, 15] as const;

export const PLAN_LIMIT_RANGES = {
  monthly_posts_limit: { min: UNLIMITED, max: INT_MAX },
  pending_posts_limit: { min: UNLIMITED, max: INT_MAX },
  concurrent_posts_limit: { min: UNLIMITED, max: INT_MAX },
  max_schedule_days: { min: 1, max: INT_MAX },
  max_images_per_post: { min: 0, max: 4 },
  max_image_size_mb: { min: 1, max: INT_MAX },
  thread_posts_limit: { min: 1, max: 24 },
  max_video_size_mb: { min: 0, max: INT_MAX },
  video_processing_minutes_per_month: { min: 0, max: INT_MAX },
  max_post_length: { min: 1, max: 1000 },
  storage_mb: { min: UNLIMITED, max: INT_MAX },
  api_rate_limit_per_hour: { min: UNLIMITED, max: INT_MAX },
  data_retention_days: { min: UNLIMITED, max: INT_MAX },
} as const;

export const PLAN_LIMIT_LABELS = {
  monthly_posts_limit: 'Monthly posts',
  pending_posts_limit: 'Pending posts',
  concurrent_posts_limit: 'Concurrent posts',
  max_schedule_days: 'Max schedule days',
  schedule_interval_minutes: 'Schedule interval',
  markdown_support: 'Markdown support',
  max_images_per_post: 'Max images per post',
  max_image_size_mb: 'Max image size',
  thread_posts: 'Thread posts',
  thread_posts_limit: 'Thread posts limit',
  video_upload_enabled: 'Video upload',
  max_video_size_mb: 'Max video size',
  video_processing_minutes_per_month: 'Video minutes per month',
  max_post_length: 'Max post length',
  storage_mb: 'Storage',
  api_rate_limit_per_hour: 'API rate limit per hour',
  data_retention_days: 'Data retention days',
} as const;
export type PlanLimitName = keyof typeof PLAN_LIMIT_LABELS;

function limit(name: keyof typeof PLAN_LIMIT_RANGES) {
  const { min, max } = PLAN_LIMIT_RANGES[name];
  return integer(PLAN_LIMIT_LABELS[name], min, max);
}

export const planLimitsInput = z.partial(
  z.strictObject({
    monthly_posts_limit: limit('monthly_posts_limit'),
    pending_posts_limit: limit('pending_posts_limit'),
    concurrent_posts_limit: limit('concurrent_posts_limit'),
    max_schedule_days: limit('max_schedule_days'),
    schedule_interval_minutes: numberChoice(
      PLAN_LIMIT_LABELS.schedule_interval_minutes,
      SCHEDULE_INTERVALS,
    ),
    markdown_support: flag(PLAN_LIMIT_LABELS.markdown_support),
    max_images_per_post: limit('max_images_per_post'),
    max_image_size_mb: limit('max_image_size_mb'),
    thread_posts: flag(PLAN_LIMIT_LABELS.thread_posts),
    thread_posts_limit: limit('thread_posts_limit'),
    video_upload_enabled: flag(PLAN_LIMIT_LABELS.video_upload_enabled),
    max_video_size_mb: z.nullable(limit('max_video_size_mb')),
    video_processing_minutes_per_month: z.nullable(limit('video_processing_minutes_per_month')),
    max_post_length: limit('max_post_length'),
    storage_mb: limit('storage_mb'),
    api_rate_limit_per_hour: limit('api_rate_limit_per_hour'),
    data_retention_days: limit('data_retention_days'),
  }),
);
export type PlanLimitsInput = z.output<typeof planLimitsInput>;

/** Null is 'not available'. */
export const limitValue = z.nullable(z.union([z.number(), z.boolean()]));
export const planLimits = z.record(z.string(), limitValue);
export type PlanLimits = z.output<typeof planLimits>;

export const PLAN_LIMIT_FORM_DEFAULTS = {
  monthly_posts_limit: 10,
  pending_posts_limit: 3,
  max_schedule_days: 7,
  schedule_interval_minutes: 10,
  max_images_per_post: 1,
  max_image_size_mb: 1,
  thread_posts_limit: 1,
  max_post_length: 300,
  storage_mb: 100,
  api_rate_limit_per_hour: 60,
  data_retention_days: 30,
} as const;

export const PLAN_LIMIT_DISPLAY_DEFAULTS = {
  schedule_interval_minutes: 15,
  max_post_length: 300,
  thread_posts_limit: 1,
  max_images_per_post: 4,
  max_image_size_mb: 1,
} as const;
