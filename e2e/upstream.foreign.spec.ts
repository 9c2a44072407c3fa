import {
  authLogout,
  SPECIFIED_CALLS,
  ticketList,
  userGet,
  userList,
  userUpdate,
} from '@meridian/contract';
import type { Page } from '@playwright/test';
import {
  EXAMPLE_LOGIN,
  startExampleServer,
} from '../server/src/check-upstream/testing/example-server.ts';
import { recordCalls } from './support/calls.ts';
import { currencyText, submitCurrency } from './support/currency-form.ts';
import { startFront } from './support/front.ts';
import { logIn } from './support/login-page.ts';
import { navigate } from './support/navigate.ts';
import { sampleUser } from './support/samples.ts';
import { SCREENS } from './support/screens.ts';
import type { SampleIds } from './support/screens.ts';
import { expect, test } from './support/test.ts';
import { storedToken } from './support/token.ts';
import { managementOf } from './support/user-page.ts';
import { visit } from './support/visit.ts';

/* The console before a service that is not Meridian and has the calls of the specification alone. */

const EXTRA_PAGES = ['/engine', '/failures', '/audit', '/jobs'];
const EXTRA_BUTTONS = ['More filters', 'Export', 'Find anything', 'Next in the list'];
const note = (page: Page) => page.getByText(/^The service left these out/);

/** One of each kind, with an assignment where there is one. */
async function idsOf(page: Page, url: string): Promise<SampleIds> {
  const headers = { authorization: `Bearer ${await storedToken(page)}` };
  const rows = async (path: string): Promise<Record<string, unknown>[]> => {
    const response = await page.request.get(`${url}/api/admin/${path}`, { headers });
    const [list] = Object.values((await response.json()) as Record<string, unknown>);
    return list as Record<string, unknown>[]; // The example begins each response with its list.
  };
  const idOf = async (path: string) => String((await rows(path))[0]?.['id']);
  const tickets = await rows('tickets');
  const redeemed = tickets.find(({ redemptionCount }) => Number(redemptionCount) > 0);
  return {
    userId: await idOf('users'),
    postId: await idOf('posts'),
    ticketId: String(redeemed?.['id']),
    planId: await idOf('plans?includeInactive=true&includeInvisible=true'),
    currencyId: await idOf('currencies?includeInactive=true'),
  };
}

test('every page of the specification works before the example of a service, by its calls alone', async ({
  page,
  context,
}) => {
  test.slow();
  const example = await startExampleServer();
  const front = await startFront(example);
  const calls = recordCalls(context);
  const headers = new Set<string>();
  page.on('request', (request) => {
    for (const name of Object.keys(request.headers())) headers.add(name);
  });
  try {
    await page.goto(`${front.url}/login`);
    await logIn(page, EXAMPLE_LOGIN.username, EXAMPLE_LOGIN.password);
    await expect(page.getByRole('article').filter({ hasText: 'Total Posts' })).toContainText('45');
    await expect(page.getByRole('navigation', { name: 'Operations' })).toHaveCount(0);
    const ids = await idsOf(page, front.url);

    for (const { name, path, settled } of SCREENS.filter(({ isPublic }) => !isPublic)) {
      await test.step(name, async () => {
        if (path(ids) !== '/') await navigate(page, path(ids));
        await expect(settled(page)).toBeVisible();
        await expect(page.getByRole('alert')).toHaveCount(0);
        await expect(note(page)).toHaveCount(0);
        await expect(page.getByRole('checkbox', { name: /^Select/ })).toHaveCount(0);
        for (const button of EXTRA_BUTTONS) {
          await expect(page.getByRole('button', { name: button })).toHaveCount(0);
        }
        for (const region of ['History', 'Delivery', 'What this user can do']) {
          await expect(page.getByRole('region', { name: region })).toHaveCount(0);
        }
      });
    }

    await test.step('pages, filters and changes', async () => {
      await navigate(page, '/posts?overdue=true');
      await expect(page.getByText('Showing 1 to 20 of 45 posts')).toBeVisible();
      await page.getByRole('link', { name: 'Next' }).click();
      await expect(page.getByText('Showing 21 to 40 of 45 posts')).toBeVisible();
      await expect(page).toHaveURL(/page=2$/);
      await navigate(page, `/users/${ids.userId}`);
      await managementOf(page).getByRole('button', { name: 'Blocked' }).click();
      const dialog = page.getByRole('alertdialog');
      await expect(dialog.getByRole('textbox')).toHaveCount(0);
      await dialog.getByRole('button', { name: 'Confirm' }).click();
      await expect(page.getByText('Status changed to BLOCKED')).toBeVisible();
      await navigate(page, '/settings');
      await page.getByRole('switch', { name: 'Service suspension' }).click();
      await expect(dialog.getByRole('textbox')).toHaveCount(0);
      await dialog.getByRole('button', { name: 'Confirm' }).click();
      await expect(page.getByText('Service suspension is now on')).toBeVisible();
      await navigate(page, `/settings/currencies/${ids.currencyId}/edit`);
      await currencyText(page, 'Name').fill('Another name');
      await submitCurrency(page).click();
      await expect(page.getByRole('cell', { name: 'Another name' })).toBeVisible();
    });

    for (const path of EXTRA_PAGES) {
      await navigate(page, path);
      await expect(page.getByRole('heading', { name: 'Not found' })).toBeVisible();
    }
    const known = new Set([...SPECIFIED_CALLS, authLogout].map(({ name }) => name));
    expect(calls.filter(({ endpoint }) => !known.has(endpoint))).toEqual([]);
    for (const name of ['x-reason', 'if-match', 'idempotency-key']) {
      expect([...headers]).not.toContain(name);
    }
  } finally {
    await front.close();
    await example.close();
  }
});

test('what a service leaves out is named once and quietly, and a wrong shape is a failed load', async ({
  page,
  standIn,
}) => {
  const { avatar: _, upgrade_prohibited: __, ...user } = sampleUser();
  standIn.on(userList, { body: { users: [user, user], total: 2 } }).on(userGet, { body: { user } });
  await visit(page, standIn, '/users');
  await expect(note(page)).toHaveText(
    'The service left these out, and they are shown as empty or by default: users.avatar, users.upgrade_prohibited.',
  );
  await expect(page.getByRole('alert')).toHaveCount(0);
  await navigate(page, `/users/${user.id}`);
  await expect(note(page)).toContainText('user.avatar, user.upgrade_prohibited.');
  standIn.on(userGet, { body: sampleUser({ id: user.id }) }).on(userUpdate, { body: {} });
  await managementOf(page).getByRole('button', { name: 'Deactivate User' }).click();
  await expect(page.getByText('User deactivated')).toBeVisible();
  await expect(note(page)).toHaveCount(0);

  standIn.on(ticketList, { body: { tickets: {} } });
  await navigate(page, '/tickets');
  const alert = page.getByRole('alert').filter({ hasText: 'Failed to load tickets' });
  await expect(alert).toContainText('The service responded in an unexpected form.');
  await expect(alert.getByRole('button', { name: 'Retry' })).toBeVisible();
});
