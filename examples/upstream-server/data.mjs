// What the example starts with: its tables, each row as the console reads it.
import { randomUUID } from 'node:crypto';

const HOUR_MS = 60 * 60 * 1000;
const START = Date.now();
const at = (hours) => new Date(START + hours * HOUR_MS).toISOString();

export const admin = { username: 'admin', displayName: null };

export const settings = { is_closed_beta: false, is_service_suspended: false, updated_at: at(-48) };

export const users = ['ana', 'bo', 'chidi'].map((name, index) => ({
  id: randomUUID(),
  did: `did:plc:${name.padEnd(24, 'a')}`,
  handle: `${name}.example.com`,
  display_name: index === 1 ? null : name,
  avatar: null,
  status: ['ACTIVE', 'SUSPENDED', 'ACTIVE'][index],
  is_active: true,
  has_access_keyword_access: index === 0,
  upgrade_prohibited: false,
  created_at: at(-100 + index),
  updated_at: at(-50),
}));

const STATUSES = ['COMPLETED', 'PENDING', 'PROCESSING', 'FAILED', 'CANCELLED'];
export const posts = Array.from({ length: 45 }, (_, index) => {
  const status = STATUSES[index % STATUSES.length];
  const isOut = status === 'COMPLETED';
  const { id, did } = users[index % users.length];
  return {
    id: randomUUID(),
    user_id: id,
    content: `Post number ${index + 1}`,
    facets: null,
    embed: null,
    languages: ['en'],
    status,
    scheduled_at: at(index - 20),
    created_at: at(-60),
    updated_at: at(-60),
    executed_at: isOut ? at(index - 20) : null,
    at_uri: isOut ? `at://${did}/app.bsky.feed.post/${index}` : null,
    at_rkey: isOut ? String(index) : null,
    error_msg: status === 'FAILED' ? 'The host refused the post' : null,
  };
});

const plan = (tier, name, priceMonthly) => ({
  id: randomUUID(),
  tier,
  name,
  displayName: { en: name },
  description: { en: `The plan ${name}` },
  priceMonthly,
  priceYearly: null,
  currency: 'usd',
  limits: { monthly_posts_limit: 10, max_post_length: 300, schedule_interval_minutes: 10 },
  features: { en: ['Ten posts a month'] },
  displayOrder: 0,
  isActive: true,
  isVisible: true,
});
export const plans = [plan('FREE', 'Free', null), plan('PREMIUM', 'Studio', { usd: 14.9 })];

export const currencies = [
  {
    id: randomUUID(),
    code: 'usd',
    name: 'US Dollar',
    symbol: '$',
    useDecimals: true,
    decimalPlaces: 2,
    displayOrder: 0,
    isActive: true,
  },
];

export const tickets = [
  {
    id: randomUUID(),
    code: 'K7QM2XTD9HRAW4NB',
    status: 'ACTIVE',
    planId: plans[1].id,
    issuer: { displayName: null, handle: 'admin' },
    validDays: 30,
    maxRedemptions: 5,
    redemptionCount: 1,
    issuedAt: at(-48),
    redemptionDeadline: null,
    updatedAt: at(-24),
    memo: null,
    limitsOverride: null,
  },
];

export const assignments = [
  {
    id: randomUUID(),
    userId: users[0].id,
    planId: plans[1].id,
    ticketId: tickets[0].id,
    status: 'ACTIVE',
    activatedAt: at(-24),
    expiresAt: at(24 * 29),
    createdAt: at(-24),
  },
];
