import { flag, oneOf, refuse, whole } from './rules.mjs';

// -1 means unlimited.
const RANGES = {
  plan: {
    monthly_posts_limit: [-1, Infinity],
    pending_posts_limit: [-1, Infinity],
    concurrent_posts_limit: [-1, Infinity],
    max_schedule_days: [1, Infinity],
    max_images_per_post: [0, 4],
    max_image_size_mb: [1, Infinity],
    thread_posts_limit: [1, 24],
    max_video_size_mb: [0, Infinity],
    video_processing_minutes_per_month: [0, Infinity],
    max_post_length: [1, 1000],
    storage_mb: [-1, Infinity],
    api_rate_limit_per_hour: [-1, Infinity],
    data_retention_days: [-1, Infinity],
  },
  ticket: {
    monthly_posts_limit: [-1, 10_000],
    concurrent_posts_limit: [-1, 1000],
    max_post_length: [1, 300],
    max_schedule_days: [-1, 365],
    thread_posts_limit: [1, 25],
  },
};
const SWITCHES = {
  plan: ['markdown_support', 'thread_posts', 'video_upload_enabled'],
  ticket: ['thread_posts'],
};

/** The limits of a plan, or those that a ticket overrides. */
export function checkLimits(kind, limits) {
  for (const [name, value] of Object.entries(limits)) {
    const range = RANGES[kind][name];
    if (name === 'schedule_interval_minutes') oneOf(value, name, [1, 5, 10, 15]);
    else if (SWITCHES[kind].includes(name)) flag(value, name);
    else if (range === undefined) refuse(400, `There is no limit ${name}`);
    else if (value !== null || !name.includes('video')) whole(value, name, range);
  }
}
