import {
  currencyList,
  planList,
  postGet,
  postList,
  ticketGet,
  ticketList,
} from '@meridian/contract';
import type { Locator, Page } from '@playwright/test';
import type { Meridian } from './meridian.ts';

/** Something worth looking at in the demo data, for the screens that show one of a kind. */
export type SampleIds = {
  userId: string;
  postId: string;
  ticketId: string;
  planId: string;
  currencyId: string;
};

export type Screen = {
  name: string;
  path: (ids: SampleIds) => string;
  /** The words of its h1; null where the data gives them. */
  heading: string | null;
  /** There once everything the screen shows has come. */
  settled: (page: Page) => Locator;
  isPublic?: boolean;
};

const cellOf = (page: Page) => page.getByRole('row').nth(1).getByRole('link').first();
const field = (name: string | RegExp) => (page: Page) => page.getByRole('textbox', { name });

/** Every screen of the specification, in its order. */
export const SCREENS: readonly Screen[] = [
  {
    name: 'Admin Panel Login',
    path: () => '/login',
    heading: 'Admin Panel Login',
    settled: field('Username'),
    isPublic: true,
  },
  {
    name: 'Dashboard',
    path: () => '/',
    heading: 'Dashboard',
    settled: (page) => page.getByRole('table', { name: 'Users by Status' }),
  },
  { name: 'Users list', path: () => '/users', heading: 'Users', settled: cellOf },
  {
    name: 'User details',
    path: ({ userId }) => `/users/${userId}`,
    heading: null,
    settled: (page) => page.getByRole('region', { name: 'Recent Posts' }).getByRole('link').first(),
  },
  {
    name: 'Scheduled Posts list',
    path: () => '/posts',
    heading: 'Scheduled Posts',
    settled: cellOf,
  },
  {
    name: 'Post detail',
    path: ({ postId }) => `/posts/${postId}`,
    heading: 'Post Details',
    settled: (page) => page.getByRole('button', { name: 'Delete Post' }),
  },
  { name: 'Plan Tickets list', path: () => '/tickets', heading: 'Plan Tickets', settled: cellOf },
  {
    name: 'Issue New Ticket',
    path: () => '/tickets/issue',
    heading: 'Issue New Ticket',
    settled: (page) => page.getByRole('button', { name: /^Issue Ticket/ }),
  },
  {
    name: 'Ticket detail',
    path: ({ ticketId }) => `/tickets/${ticketId}`,
    heading: null,
    settled: (page) => page.getByRole('region', { name: 'Assignments' }).getByRole('link').first(),
  },
  {
    name: 'Plans list',
    path: () => '/plans',
    heading: 'Plans',
    settled: (page) => page.getByRole('link', { name: /^Edit/ }).first(),
  },
  {
    name: 'Create New Plan',
    path: () => '/plans/create',
    heading: 'Create New Plan',
    settled: field(/^Name/),
  },
  {
    name: 'Edit Plan',
    path: ({ planId }) => `/plans/${planId}/edit`,
    // Names the plan.
    heading: null,
    settled: field(/^Name/),
  },
  {
    name: 'Service Settings',
    path: () => '/settings',
    heading: 'Service Settings',
    settled: cellOf,
  },
  {
    name: 'Add New Currency',
    path: () => '/settings/currencies/create',
    heading: 'Add New Currency',
    settled: field(/^Code/),
  },
  {
    name: 'Edit Currency',
    path: ({ currencyId }) => `/settings/currencies/${currencyId}/edit`,
    heading: 'Edit Currency',
    settled: field(/^Name/),
  },
  {
    name: 'Change Password',
    path: () => '/password',
    heading: 'Change Password',
    settled: field('Current password'),
  },
];

const found = new WeakMap<Meridian, Promise<SampleIds>>();

/** Looked up once: no test deletes them. */
export function findSampleIds(meridian: Meridian): Promise<SampleIds> {
  const ids = found.get(meridian) ?? lookUp(meridian);
  found.set(meridian, ids);
  return ids;
}

async function lookUp(meridian: Meridian): Promise<SampleIds> {
  const { tickets } = await meridian.call(ticketList);
  const redeemed = sure(
    tickets.find(({ status, redemptionCount }) => status === 'ACTIVE' && redemptionCount !== 0),
    'a redeemed ticket',
  );
  const { assignments } = await meridian.call(ticketGet, { params: { id: redeemed.id } });
  const { plans } = await meridian.call(planList);
  const { currencies } = await meridian.call(currencyList);
  return {
    userId: sure(assignments[0], 'an assignment').user.id,
    postId: await findIllustratedPost(meridian),
    ticketId: redeemed.id,
    planId: sure(
      plans.find(({ isPaid }) => isPaid),
      'a paid plan',
    ).id,
    currencyId: sure(currencies[0], 'a currency').id,
  };
}

/** The latest published post that has pictures. */
async function findIllustratedPost(meridian: Meridian): Promise<string> {
  const { posts } = await meridian.call(postList, { query: { status: 'COMPLETED', limit: 100 } });
  for (const { id } of posts) {
    const { post } = await meridian.call(postGet, { params: { id } });
    if (JSON.stringify(post.embed)?.includes('"images"')) return id;
  }
  throw new Error('The demo data lacks a post with pictures');
}

function sure<T>(value: T | undefined, what: string): T {
  if (value === undefined) throw new Error(`The demo data lacks ${what}`);
  return value;
}
