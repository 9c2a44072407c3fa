import type { LimitsOverride, TicketStatus } from '@meridian/contract/tickets';

/** Tickets that were issued for one purpose. */
export type Batch = {
  count: number;
  plan: string;
  status: TicketStatus;
  /** Null for no maximum. */
  max: number | null;
  /** At least and at most so many have redeemed it. */
  redeemed: readonly [number, number];
  validDays: number;
  issuedDaysAgo: readonly [number, number];
  /** Days from now; negative ones have passed. */
  deadline?: readonly [number, number];
  override?: LimitsOverride;
  memo?: string;
};

/** Forty tickets: every state, with and without maximum, deadline, memo and overrides. */
export const TICKET_BATCHES: readonly Batch[] = [
  {
    count: 6,
    plan: 'studio',
    status: 'UNUSED',
    max: 1,
    redeemed: [0, 0],
    validDays: 30,
    issuedDaysAgo: [1, 12],
  },
  {
    count: 3,
    plan: 'creator',
    status: 'UNUSED',
    max: 1,
    redeemed: [0, 0],
    validDays: 90,
    issuedDaysAgo: [2, 30],
    deadline: [10, 60],
    memo: 'Prize of the autumn photo contest',
  },
  {
    count: 1,
    plan: 'newsroom',
    status: 'UNUSED',
    max: 25,
    redeemed: [0, 0],
    validDays: 365,
    issuedDaysAgo: [1, 3],
    deadline: [30, 45],
    memo: 'Trial for the Estuary Post: one code for the whole desk.\nAsk Ines before extending it.',
  },
  {
    count: 2,
    plan: 'studio',
    status: 'UNUSED',
    max: null,
    redeemed: [0, 0],
    validDays: 14,
    issuedDaysAgo: [1, 4],
    override: { monthly_posts_limit: 500, schedule_interval_minutes: 5 },
    memo: 'Conference hand-out, two weeks',
  },
  {
    count: 1,
    plan: 'partner',
    status: 'UNUSED',
    max: 10,
    redeemed: [0, 0],
    validDays: 3650,
    issuedDaysAgo: [20, 40],
    memo: 'Libraries of the northern district',
  },
  {
    count: 4,
    plan: 'studio',
    status: 'ACTIVE',
    max: 10,
    redeemed: [2, 7],
    validDays: 30,
    issuedDaysAgo: [15, 70],
  },
  {
    count: 3,
    plan: 'creator',
    status: 'ACTIVE',
    max: 5,
    redeemed: [5, 5],
    validDays: 60,
    issuedDaysAgo: [20, 90],
    memo: 'Newsletter readers, first come, first served',
  },
  {
    count: 3,
    plan: 'creator',
    status: 'ACTIVE',
    max: null,
    redeemed: [3, 16],
    validDays: 365,
    issuedDaysAgo: [60, 200],
    memo: 'Open invitation on the help page',
  },
  {
    count: 2,
    plan: 'newsroom',
    status: 'ACTIVE',
    max: 1,
    redeemed: [1, 1],
    validDays: 365,
    issuedDaysAgo: [30, 150],
    override: {
      concurrent_posts_limit: 50,
      max_schedule_days: 365,
      thread_posts: true,
      thread_posts_limit: 25,
    },
  },
  {
    count: 1,
    plan: 'studio',
    status: 'ACTIVE',
    max: 100,
    redeemed: [31, 31],
    validDays: 90,
    issuedDaysAgo: [100, 110],
    deadline: [20, 40],
    memo: 'Spring campaign',
  },
  {
    count: 2,
    plan: 'early-bird-2025',
    status: 'ACTIVE',
    max: 100,
    redeemed: [8, 14],
    validDays: 730,
    issuedDaysAgo: [330, 390],
    memo: 'The first hundred',
  },
  {
    count: 2,
    plan: 'studio',
    status: 'EXPIRED',
    max: 20,
    redeemed: [4, 12],
    validDays: 30,
    issuedDaysAgo: [120, 240],
    deadline: [-90, -30],
  },
  {
    count: 2,
    plan: 'creator',
    status: 'UNUSED',
    max: 1,
    redeemed: [0, 0],
    validDays: 30,
    issuedDaysAgo: [60, 120],
    deadline: [-30, -2],
    memo: 'Sent to a wrong address; nobody redeemed it',
  },
  {
    count: 2,
    plan: 'creator',
    status: 'ACTIVE',
    max: 3,
    redeemed: [1, 2],
    validDays: 30,
    issuedDaysAgo: [50, 90],
    deadline: [-20, -5],
  },
  {
    count: 1,
    plan: 'partner',
    status: 'EXPIRED',
    max: null,
    redeemed: [0, 0],
    validDays: 365,
    issuedDaysAgo: [300, 360],
    deadline: [-200, -120],
  },
  {
    count: 3,
    plan: 'studio',
    status: 'REVOKED',
    max: 1,
    redeemed: [0, 0],
    validDays: 30,
    issuedDaysAgo: [10, 90],
    memo: 'Issued by mistake',
  },
  {
    count: 2,
    plan: 'newsroom',
    status: 'REVOKED',
    max: 5,
    redeemed: [0, 0],
    validDays: 90,
    issuedDaysAgo: [20, 60],
    override: { max_post_length: 300, monthly_posts_limit: -1 },
  },
];
