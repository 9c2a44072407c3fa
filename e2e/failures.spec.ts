import { text } from 'node:stream/consumers';
import { postGet } from '@meridian/contract';
import type { Page } from '@playwright/test';
import { gate } from './support/gate.ts';
import { expectAccessibleInTwoLooks } from './support/looks.ts';
import { timed } from './support/screen-times.ts';
import { AMONG_MANY } from './support/story-posts.ts';
import { expect, test } from './support/test.ts';
import { withoutEvents } from './support/open-requests.ts';

const groupOf = (page: Page, name: string) => page.getByRole('region', { name });

test('failures are a few causes, each with its owner, its share and its list', async ({
  page,
  app,
}) => {
  const { engine } = app.rows;
  const user = await app.rows.user({ handle: 'harbour.test' });
  await engine.fail(user, { cause: null, error: 'EHOSTUNREACH 10.0.0.7', count: 3 });
  await engine.fail(user, { cause: 'host_down', error: 'HTTP 502', count: 37 });
  await engine.fail(user, { cause: 'too_long', error: 'Too long', count: 2 });

  await app.open('/');
  await page.getByRole('navigation', { name: 'Operations' }).getByText('Failures').click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Failures');
  await expect(page.getByRole('main').getByRole('heading', { level: 2 })).toHaveText([
    'EHOSTUNREACH 10.0.0.7',
    'The host responds with errors',
    'The text is too long',
  ]);
  await expect(page.getByRole('link', { name: '42 failures' })).toHaveAttribute(
    'href',
    /^\/posts\?failedFrom=.+&failedTo=.+$/,
  );
  const unknown = groupOf(page, 'EHOSTUNREACH 10.0.0.7');
  await expect(unknown).toContainText('Us');
  await expect(unknown.getByRole('link', { name: 'Posts: 3', exact: true })).toHaveAttribute(
    'href',
    /^\/posts\?cause=unknown&error=EHOSTUNREACH\+10\.0\.0\.7&failedFrom=/,
  );
  await unknown.getByRole('link', { name: 'Posts: 3', exact: true }).click();
  await expect(page.getByRole('table', { name: 'Scheduled posts' }).getByRole('row')).toHaveCount(
    4,
  );
  await page.goBack();
  await expect(unknown.getByRole('button')).toHaveCount(0);
  await expect(groupOf(page, 'The text is too long').getByRole('button')).toHaveCount(0);
  await expectAccessibleInTwoLooks(page);

  await expect(groupOf(page, 'The host responds with errors')).toContainText('37 (88.1%)');
  const told = await page.locator('p[aria-live]').elementHandle();
  await page.getByRole('button', { name: '30 days' }).click();
  await expect(page).toHaveURL(`${app.url}/failures?window=30d`);
  await expect(page.getByRole('main').getByRole('heading', { level: 2 })).toHaveCount(3);
  // The element that was there before: a new one would not be read out.
  expect(await told?.evaluate((line) => line.isConnected && line.textContent)).toBe('42 failures');
});

test(
  'a group is retried as one change, but for what is published already',
  AMONG_MANY,
  async ({ page, app }) => {
    const { engine } = app.rows;
    const user = await app.rows.user({ handle: 'harbour.test' });
    // A cause that no seeded post has.
    const failure = { cause: 'rate_limited_host', error: 'HTTP 429', count: 37 };
    const [out = ''] = await engine.fail(user, failure);
    const { post } = await app.meridian.call(postGet, { params: { id: out } });
    const at = new Date().toISOString();
    await engine.delivery(post, { claimedAt: at, sentAt: at, settledAt: at, outcome: 'already' });

    const limited = groupOf(page, 'The host limits requests from our address');
    await timed('Failures: causes of a day', async () => {
      await app.open('/failures');
      await expect(limited).toContainText('37 (');
    });
    await limited.getByRole('button', { name: 'Retry all 37' }).focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('alertdialog', { name: 'Retry 37 posts' });
    await expect(dialog).toContainText(
      '37 posts will be scheduled again, each as a new post that is due now and names the old one.',
    );
    await expect(dialog).toContainText('What turns out to be published already is skipped.');
    await expectAccessibleInTwoLooks(page);
    await dialog.getByRole('textbox', { name: 'Type 37 to confirm' }).fill('37');
    await dialog.getByRole('button', { name: 'Confirm' }).click();
    await expect(dialog).toHaveCount(0);
    await expect(limited).toContainText('Retried36', { timeout: 60_000 });
    await page.goto(`${app.url}/jobs`);
    await page.getByRole('link', { name: 'Retry 37 posts' }).first().click();
    await expect(page.getByRole('main').getByText('37 of 37')).toBeVisible();
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Result as CSV' }).click();
    const result = await text(await (await download).createReadStream());
    expect(result).toContain(
      `"${out}","skipped","The post is published already, so it was not retried"`,
    );
    expect(result.match(/"done"/g)).toHaveLength(36);
  },
);

test('the question about a group stays when the group is gone from the list behind it', async ({
  page,
  app,
}) => {
  const { engine } = app.rows;
  const user = await app.rows.user();
  await engine.fail(user, { cause: 'host_down', error: 'HTTP 502', count: 3 });
  await app.open('/failures');
  const down = groupOf(page, 'The host responds with errors');
  await expect(down.getByRole('button', { name: 'Retry all 3' })).toBeVisible();
  // Read before the question is asked, and there afterwards.
  const { opened, open } = gate();
  await page.route('**/api/admin/failures?*', async (route) => {
    await opened;
    const response = await route.fetch();
    await route.fulfill({ response, json: { ...(await response.json()), groups: [] } });
  });
  const asked = page.waitForRequest('**/api/admin/failures?*');
  await engine.fail(user, { cause: 'too_long', error: 'Too long', count: 1 });
  await asked;
  await down.getByRole('button', { name: 'Retry all 3' }).press('Enter');
  const dialog = page.getByRole('alertdialog', { name: 'Retry 3 posts' });
  await dialog.getByLabel('Reason (optional)').fill('The host is back');
  open();
  await expect(page.locator('main section')).toHaveCount(0);
  await expect(dialog.getByLabel('Reason (optional)')).toHaveValue('The host is back');
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  await expect(page.locator('main :focus')).toBeVisible();
});

test.describe('with the longest way to write a time', () => {
  test.use({ locale: 'en-US', timezoneId: 'America/New_York' });

  test('first and last seen stand side by side', async ({ page, app }) => {
    const user = await app.rows.user();
    await app.rows.engine.fail(user, { cause: 'host_down', error: 'HTTP 502', count: 3 });
    await app.open('/failures');
    const down = groupOf(page, 'The host responds with errors');
    const tops = () =>
      down
        .getByRole('term')
        .filter({ hasText: /seen$/ })
        .evaluateAll((terms) => terms.map((term) => term.getBoundingClientRect().top));
    await expect(down.getByRole('term')).toHaveText(['Posts', 'People', 'First seen', 'Last seen']);
    for (const width of [1024, 1280, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      expect(new Set(await tops()).size, `${width} px`).toBe(1);
    }
  });
});

test('a failed post is retried once, and old and new lead to each other', async ({ page, app }) => {
  const user = await app.rows.user();
  const [id = ''] = await app.rows.engine.fail(user, {
    cause: 'too_late',
    error: 'Late',
    count: 1,
  });
  await app.open(`/posts/${id}`);
  await expect(page.getByText('It can be scheduled again, as a new post.')).toBeVisible();
  await page.getByRole('button', { name: 'Retry' }).click();
  const dialog = page.getByRole('alertdialog', { name: 'Retry Post' });
  await expect(dialog).toContainText('A new post with the same content is scheduled for now');
  await dialog.getByRole('button', { name: 'Confirm' }).click();
  await expect(page.getByText('Retry scheduled')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Retry' })).toHaveCount(0);
  await page.getByRole('link', { name: /^Retried as/ }).click();
  await expect(page.getByRole('link', { name: /^Retry of/ })).toHaveAttribute(
    'href',
    `/posts/${id}`,
  );
  await expect(page.getByRole('region', { name: 'Information' })).toContainText('Pending');
});

test('without failures it says so, and an error has its Retry', async ({ page, app }) => {
  // Else it may be read again before the button is pressed.
  await withoutEvents(page);
  await page.route('**/api/admin/failures?*', (route) => route.abort());
  await app.open('/failures');
  await expect(page.getByRole('alert')).toContainText('Failed to load the failures');
  await page.unroute('**/api/admin/failures?*');
  await page.getByRole('button', { name: 'Retry' }).press('Enter');
  await expect(page.getByText('No post failed in this time.')).toBeVisible();
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
});
