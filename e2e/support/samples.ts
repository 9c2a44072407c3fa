import type {
  Assignment,
  Currency,
  ListedPost,
  Plan,
  Post,
  Ticket,
  User,
} from '@meridian/contract';
import { CURRENCY, PLAN } from '@meridian/contract/samples';

/** What another vendor's server might answer. Each test says only what matters to it. */

export const ME = { username: 'ana', displayName: 'Ana Okafor' } as const;
/** The same from a server that is Meridian. */
export const ME_AT_MERIDIAN = { ...ME, meridian: '0.1.0', eventId: '' } as const;

let serial = 0;
/** Ids of that other server: text, but no UUID. */
const nextId = (noun: string) => {
  serial += 1;
  return `${noun}-${serial}`;
};

export function sampleUser(fields: Partial<User> = {}): User {
  const id = fields.id ?? nextId('user');
  return {
    id,
    did: `did:plc:${id.replaceAll(/[^a-z2-7]/g, '').padEnd(24, 'abcdefghijklmnopqrstuvwx')}`,
    handle: `${id}.example`,
    display_name: 'Harbour Lights',
    avatar: null,
    status: 'ACTIVE',
    is_active: true,
    has_access_keyword_access: true,
    upgrade_prohibited: false,
    version: 1,
    created_at: '2026-03-02T08:14:00.000Z',
    updated_at: '2026-11-14T09:30:00.000Z',
    ...fields,
  };
}

export function samplePost(fields: Partial<Post> = {}): Post {
  const { id: userId, did, handle, display_name, avatar } = sampleUser();
  return {
    id: nextId('post'),
    user_id: userId,
    content: 'Doors open at 7 tonight',
    facets: null,
    embed: null,
    languages: ['en'],
    status: 'PENDING',
    scheduled_at: '2096-11-20T17:00:00.000Z',
    created_at: '2026-11-01T08:00:00.000Z',
    updated_at: '2026-11-01T08:00:00.000Z',
    executed_at: null,
    at_uri: null,
    at_rkey: null,
    error_msg: null,
    hold: null,
    cause: null,
    reply_to: null,
    thread: null,
    retry_of: null,
    retried_as: null,
    version: 1,
    user: { id: userId, did, handle, display_name, avatar },
    ...fields,
  };
}

export function samplePosts(count: number, fields: Partial<Post> = {}): ListedPost[] {
  return Array.from({ length: count }, (_, index) =>
    samplePost({ content: `Post number ${index + 1}`, ...fields }),
  );
}

export function samplePlan(fields: Partial<Plan> = {}): Plan {
  return {
    ...PLAN,
    id: nextId('plan'),
    tier: 'PREMIUM',
    name: 'studio',
    displayName: { en: 'Studio' },
    description: { en: 'Threads, video and fine-grained times for small teams.' },
    priceMonthly: { usd: 14.9 },
    priceYearly: { usd: 149 },
    limits: {
      monthly_posts_limit: 500,
      pending_posts_limit: 120,
      concurrent_posts_limit: 20,
      max_schedule_days: 90,
      schedule_interval_minutes: 5,
      markdown_support: true,
      max_images_per_post: 4,
      max_image_size_mb: 1,
      thread_posts: true,
      thread_posts_limit: 24,
      video_upload_enabled: true,
      max_video_size_mb: 100,
      video_processing_minutes_per_month: 60,
      max_post_length: 300,
      storage_mb: 10_240,
      api_rate_limit_per_hour: 600,
      data_retention_days: -1,
    },
    displayOrder: 20,
    isPaid: true,
    ...fields,
  };
}

export function sampleTicket(fields: Partial<Ticket> = {}): Ticket {
  const { id: planId, name, displayName, tier, limits } = samplePlan();
  return {
    id: nextId('ticket'),
    code: 'K7QM-2XTD-9HRA-W4NB',
    status: 'UNUSED',
    planId,
    plan: { id: planId, name, displayName, tier, limits },
    issuer: { displayName: 'Ana Okafor', handle: 'ana' },
    validDays: 30,
    maxRedemptions: 5,
    redemptionCount: 0,
    issuedAt: '2026-11-03T09:02:00.000Z',
    redemptionDeadline: null,
    updatedAt: '2026-11-04T10:15:00.000Z',
    memo: null,
    limitsOverride: null,
    ...fields,
  };
}

export function sampleAssignment(fields: Partial<Assignment> = {}): Assignment {
  const { id: userId, did, handle, display_name: displayName } = sampleUser();
  const { id, name, displayName: planName, tier, limits } = samplePlan();
  return {
    id: nextId('assignment'),
    status: 'ACTIVE',
    activatedAt: '2026-10-01T10:00:00.000Z',
    expiresAt: '2096-12-31T23:00:00.000Z',
    createdAt: '2026-10-01T09:59:00.000Z',
    ticket: { id: 'ticket-1', code: 'K7QM-2XTD-9HRA-W4NB' },
    limitsOverride: null,
    user: { id: userId, displayName, handle, did },
    plan: { id, name, displayName: planName, tier, limits },
    ...fields,
  };
}

export function sampleCurrency(fields: Partial<Currency> = {}): Currency {
  return { ...CURRENCY, id: nextId('currency'), ...fields };
}
