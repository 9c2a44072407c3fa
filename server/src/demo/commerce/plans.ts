import type { PlanLimitsInput } from '@meridian/contract/plan-limits';
import type { PlanTier } from '@meridian/contract/plans';
import { newId } from '../identifiers.ts';
import { createRandom } from '../random.ts';
import { Json } from '../rows.ts';
import type { PlanPriceRow, PlanRow } from '../rows.ts';
import { iso } from '../times.ts';
import { EARLY_BIRD, NEWSROOM, PARTNER } from './plan-texts-more.ts';
import { CREATOR, STARTER, STUDIO } from './plan-texts.ts';
import type { PlanText, PlanTexts } from './plan-texts.ts';

const UNLIMITED = -1;

type Offer = {
  tier: PlanTier;
  name: string;
  texts: PlanTexts;
  limits: PlanLimitsInput;
  /** Amounts by currency, monthly and yearly; none for the free plan. */
  prices: Record<string, readonly [monthly: string, yearly: string]>;
  order: number;
  isActive: boolean;
  isVisible: boolean;
};

const starterLimits: PlanLimitsInput = {
  monthly_posts_limit: 10,
  pending_posts_limit: 3,
  concurrent_posts_limit: 1,
  max_schedule_days: 7,
  schedule_interval_minutes: 10,
  markdown_support: false,
  max_images_per_post: 1,
  max_image_size_mb: 1,
  thread_posts: false,
  thread_posts_limit: 1,
  video_upload_enabled: false,
  max_video_size_mb: null,
  video_processing_minutes_per_month: null,
  max_post_length: 300,
  storage_mb: 100,
  api_rate_limit_per_hour: 60,
  data_retention_days: 30,
};
const creatorLimits: PlanLimitsInput = {
  ...starterLimits,
  monthly_posts_limit: 150,
  pending_posts_limit: 30,
  concurrent_posts_limit: 3,
  max_schedule_days: 30,
  schedule_interval_minutes: 5,
  markdown_support: true,
  max_images_per_post: 4,
  thread_posts: true,
  thread_posts_limit: 5,
  storage_mb: 1024,
  api_rate_limit_per_hour: 300,
  data_retention_days: 180,
};
const studioLimits: PlanLimitsInput = {
  ...creatorLimits,
  monthly_posts_limit: UNLIMITED,
  pending_posts_limit: 120,
  concurrent_posts_limit: 10,
  max_schedule_days: 90,
  schedule_interval_minutes: 1,
  max_image_size_mb: 2,
  thread_posts_limit: 24,
  video_upload_enabled: true,
  max_video_size_mb: 100,
  video_processing_minutes_per_month: 120,
  storage_mb: 10_240,
  api_rate_limit_per_hour: 2000,
  data_retention_days: 730,
};
const newsroomLimits: PlanLimitsInput = {
  ...studioLimits,
  pending_posts_limit: UNLIMITED,
  concurrent_posts_limit: UNLIMITED,
  max_schedule_days: 365,
  max_video_size_mb: 500,
  video_processing_minutes_per_month: 1200,
  storage_mb: UNLIMITED,
  api_rate_limit_per_hour: UNLIMITED,
  data_retention_days: UNLIMITED,
};

const OFFERS: readonly Offer[] = [
  {
    tier: 'FREE',
    name: 'starter',
    texts: STARTER,
    limits: starterLimits,
    prices: {},
    order: 0,
    isActive: true,
    isVisible: true,
  },
  {
    tier: 'BASIC',
    name: 'creator',
    texts: CREATOR,
    limits: creatorLimits,
    prices: {
      usd: ['4.90', '49.00'],
      eur: ['4.90', '49.00'],
      jpy: ['700', '7000'],
      gbp: ['4.20', '42.00'],
    },
    order: 10,
    isActive: true,
    isVisible: true,
  },
  {
    tier: 'PREMIUM',
    name: 'studio',
    texts: STUDIO,
    limits: studioLimits,
    prices: {
      usd: ['14.90', '149.00'],
      eur: ['14.90', '149.00'],
      jpy: ['2200', '22000'],
      gbp: ['12.90', '129.00'],
    },
    order: 20,
    isActive: true,
    isVisible: true,
  },
  {
    tier: 'ENTERPRISE',
    name: 'newsroom',
    texts: NEWSROOM,
    limits: newsroomLimits,
    prices: { usd: ['99.00', '990.00'], eur: ['95.00', '950.00'], jpy: ['14800', '148000'] },
    order: 30,
    isActive: true,
    isVisible: true,
  },
  {
    tier: 'PREMIUM',
    name: 'early-bird-2025',
    texts: EARLY_BIRD,
    limits: studioLimits,
    prices: { usd: ['9.90', '99.00'], eur: ['9.90', '99.00'], jpy: ['1480', '14800'] },
    order: 40,
    isActive: false,
    isVisible: false,
  },
  {
    tier: 'BASIC',
    name: 'partner',
    texts: PARTNER,
    limits: { ...creatorLimits, storage_mb: 5120 },
    prices: { usd: ['3.00', '30.00'], eur: ['3.00', '30.00'] },
    order: 50,
    isActive: true,
    isVisible: false,
  },
];

export type DemoPlans = { plans: PlanRow[]; prices: PlanPriceRow[] };

export function makePlans(createdAt: number): DemoPlans {
  const random = createRandom('plans');
  const plans: PlanRow[] = [];
  const prices: PlanPriceRow[] = [];
  for (const offer of OFFERS) {
    const id = newId(random, createdAt);
    plans.push({
      id,
      tier: offer.tier,
      name: offer.name,
      display_name: perLanguage(offer.texts, ({ name }) => name),
      description: perLanguage(offer.texts, ({ about }) => about),
      currency: 'usd',
      limits: new Json(offer.limits),
      features: perLanguage(offer.texts, ({ features }) => features),
      display_order: offer.order,
      is_active: offer.isActive,
      is_visible: offer.isVisible,
      created_at: iso(createdAt),
      updated_at: iso(createdAt),
    });
    for (const [code, [monthly, yearly]] of Object.entries(offer.prices)) {
      prices.push({ plan_id: id, period: 'monthly', currency_code: code, amount: monthly });
      prices.push({ plan_id: id, period: 'yearly', currency_code: code, amount: yearly });
    }
  }
  return { plans, prices };
}

function perLanguage(texts: PlanTexts, choose: (text: PlanText) => unknown): Json {
  const entries = Object.entries(texts).map(([language, text]) => [language, choose(text)]);
  return new Json(Object.fromEntries(entries));
}
