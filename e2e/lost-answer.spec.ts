import { ticketIssue, ticketList } from '@meridian/contract';
import type { Page } from '@playwright/test';
import { field } from './support/plan-form.ts';
import { expect, test } from './support/test.ts';

const submit = (page: Page) => page.getByRole('button', { name: /^Issue Ticket/ });

test('an answer that is lost, and a second click, make one ticket', async ({
  signedIn: page,
  meridian,
}) => {
  const memo = 'Asked for twice';
  const keys: (string | undefined)[] = [];
  const made = async () =>
    (await meridian.call(ticketList)).tickets.filter((ticket) => ticket.memo === memo);
  await page.route(
    `**${ticketIssue.path}`,
    async (route) => {
      // The server has done it; only the browser never hears of it.
      expect((await route.fetch()).status()).toBe(201);
      await route.abort('connectionreset');
    },
    { times: 1 },
  );
  page.on('request', (request) => {
    if (request.url().endsWith(ticketIssue.path)) {
      keys.push(request.headers()['idempotency-key']);
    }
  });

  await page.goto(`${meridian.url}/tickets/issue`);
  await expect(field(page, 'Plan')).toBeEnabled();
  await field(page, 'Plan').selectOption({ index: 1 });
  await field(page, 'Memo').fill(memo);
  await submit(page).click();
  await expect(page.getByText('Failed to issue ticket')).toBeVisible();
  const [lost] = await made();

  await submit(page).click();
  await expect(page.getByText(`Ticket issued successfully: ${lost?.code}`)).toBeVisible();
  expect(await made()).toEqual([lost]);
  expect(new Set(keys).size).toBe(1);

  // The same once more is another wish.
  await page.goto(`${meridian.url}/tickets/issue`);
  await expect(field(page, 'Plan')).toBeEnabled();
  await field(page, 'Plan').selectOption({ index: 1 });
  await field(page, 'Memo').fill(memo);
  await submit(page).click();
  await expect(page.getByText(/^Ticket issued successfully: /)).toBeVisible();
  expect(await made()).toHaveLength(2);
  expect(new Set(keys).size).toBe(2);
});
