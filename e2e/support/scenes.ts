import { expect } from '@playwright/test';
import type { Page } from '@playwright/test';
import { withoutEvents } from './open-requests.ts';
import { SCREENS } from './screens.ts';
import type { SampleIds } from './screens.ts';

/** Something to take a picture of: where it is, and what to do there first. */
export type Scene = {
  name: string;
  path: string;
  isPublic?: boolean;
  /** Set up before the page is opened, such as answers that do not come. */
  before?: (page: Page) => Promise<unknown>;
  arrange: (page: Page) => Promise<void>;
  /** Only at these widths; at all of them when left out. */
  widths?: readonly number[];
};

const USERS_CALL = '**/api/admin/users?*';
/** The awkward posts of the demo data keep their ids. */
const awkwardPost = (number: string) => `/posts/5c4ed000-0000-4000-8000-0000000000${number}`;
const openedPost = async (page: Page) =>
  expect(page.getByRole('button', { name: 'Delete Post' })).toBeVisible();

const screensOf = (ids: SampleIds): Scene[] =>
  SCREENS.map(({ name, path, settled, isPublic = false }) => ({
    name,
    path: path(ids),
    isPublic,
    arrange: async (page) => expect(settled(page)).toBeVisible(),
  }));

const othersOf = ({ userId }: SampleIds): Scene[] => [
  { name: 'Post in Japanese', path: awkwardPost('02'), arrange: openedPost },
  { name: 'Post right to left', path: awkwardPost('04'), arrange: openedPost },
  { name: 'Post with four pictures', path: awkwardPost('08'), arrange: openedPost },
  { name: 'Post with a link card', path: awkwardPost('10'), arrange: openedPost },
  {
    name: 'Confirm dialog',
    path: `/users/${userId}`,
    arrange: async (page) => {
      await page.getByRole('button', { name: 'Blocked' }).click();
      await expect(page.getByRole('alertdialog')).toBeVisible();
    },
  },
  {
    name: 'Audit log',
    path: '/audit',
    arrange: async (page) => expect(page.getByRole('row').nth(1)).toBeVisible(),
  },
  {
    name: 'Engine at work',
    path: '/engine',
    arrange: async (page) => {
      await expect(page.getByText('Nothing measured')).toHaveCount(0, { timeout: 60_000 });
      await expect(page.getByRole('row').nth(1)).toBeVisible();
    },
  },
  {
    name: 'Local network',
    path: '/local-network/',
    // The first posts of the demonstration data go out within half a minute of the start.
    arrange: async (page) =>
      expect(page.getByRole('article').nth(3)).toBeVisible({ timeout: 60_000 }),
  },
  {
    name: 'Profile menu',
    path: '/',
    widths: [1440],
    arrange: async (page) => {
      await page.getByRole('button', { name: /@admin/ }).click();
      await expect(page.getByRole('menu')).toBeVisible();
    },
  },
  {
    name: 'Drawer',
    path: '/',
    widths: [360],
    arrange: async (page) => {
      await page.getByRole('button', { name: 'Menu' }).click();
      await expect(page.getByRole('dialog', { name: 'Menu' })).toBeVisible();
    },
  },
  {
    name: 'Refused form',
    path: '/password',
    arrange: async (page) => {
      await page.getByRole('main').getByRole('button', { name: 'Change Password' }).click();
      await expect(page.getByText('Current password is required')).toBeVisible();
    },
  },
  {
    name: 'Users loading',
    path: '/users',
    // Never answered: the picture is of the wait.
    before: (page) => page.route(USERS_CALL, () => {}),
    arrange: async (page) => {
      await expect(page.getByRole('heading', { name: 'Users' })).toBeVisible();
      await expect(page.getByText('Loading...')).toBeVisible();
    },
  },
  {
    name: 'Users empty',
    path: '/users?status=BLOCKED',
    before: (page) =>
      page.route(USERS_CALL, (route) => route.fulfill({ json: { users: [], total: 0 } })),
    arrange: async (page) => expect(page.getByText('No users found')).toBeVisible(),
  },
  {
    name: 'Users failed',
    path: '/users',
    before: (page) => page.route(USERS_CALL, (route) => route.abort()),
    arrange: async (page) => expect(page.getByRole('alert')).toBeVisible(),
  },
  {
    name: 'Not found',
    path: '/no-such-page',
    arrange: async (page) => expect(page.getByRole('heading', { name: 'Not found' })).toBeVisible(),
  },
];

/** Of the demonstration data. */
export const scenesOf = (ids: SampleIds): Scene[] => [...screensOf(ids), ...othersOf(ids)];

/** What a service without any data shows. */
export const EMPTY_SCENES: readonly Scene[] = [
  '/',
  '/users',
  '/posts',
  '/tickets',
  '/tickets/issue',
  '/plans',
  '/plans/create',
  '/settings',
].map((path) => ({
  name: `No data ${path === '/' ? 'dashboard' : path.slice(1).replace('/', ' ')}`,
  path,
  before: withoutEvents,
  arrange: async (page) => {
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await page.waitForLoadState('networkidle');
    await expect(page.getByText('Loading...')).toHaveCount(0);
  },
}));
