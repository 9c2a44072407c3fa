import {
  assignmentRevoke,
  planCreate,
  planGet,
  planSetActive,
  planUpdate,
  postDelete,
  postGet,
  settingsGet,
  settingsUpdate,
  ticketIssue,
  ticketList,
  userGet,
  userUpdate,
} from '@meridian/contract';
import type { Endpoint } from '@meridian/contract';
import type { Page } from '@playwright/test';
import { field, planBody, planCard, submitPlan } from './support/plan-form.ts';
import { openPlans } from './support/plans-list.ts';
import { openStoredPost } from './support/post-page.ts';
import { samplePlan } from './support/samples.ts';
import { service } from './support/settings-page.ts';
import { expect, test } from './support/test.ts';
import { managementOf, openUser, plansOf } from './support/user-page.ts';

const UNKNOWN = "We don't know whether the change was made.";

/** The server makes the change; only its response never arrives. */
async function loseResponse(page: Page, { method, path }: Endpoint): Promise<void> {
  await page.route(
    (url) => new RegExp(`${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(url.pathname),
    async (route) => {
      if (route.request().method() !== method) return route.fallback();
      expect((await route.fetch()).ok()).toBe(true);
      return route.abort('connectionreset');
    },
  );
}

const submit = (page: Page) => page.getByRole('button', { name: /^Issue Ticket/ });

test('a response that is lost, and a second click, make one ticket', async ({
  signedIn: page,
  meridian,
}) => {
  const memo = 'Asked for twice';
  const keys: (string | undefined)[] = [];
  const made = async () =>
    (await meridian.call(ticketList)).tickets.filter((ticket) => ticket.memo === memo);
  await loseResponse(page, ticketIssue);
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
  await expect(page.getByRole('alert')).toHaveText(
    `Failed to issue ticket${UNKNOWN} It is safe to try again.`,
  );
  const [lost] = await made();
  await page.unrouteAll();

  await submit(page).click();
  await expect(page.getByText(`Ticket issued successfully: ${lost?.code}`)).toBeVisible();
  expect(await made()).toEqual([lost]);
  expect(new Set(keys).size).toBe(1);

  // The same once more is a request of its own.
  await page.goto(`${meridian.url}/tickets/issue`);
  await expect(field(page, 'Plan')).toBeEnabled();
  await field(page, 'Plan').selectOption({ index: 1 });
  await field(page, 'Memo').fill(memo);
  await submit(page).click();
  await expect(page.getByText(/^Ticket issued successfully: /)).toBeVisible();
  expect(await made()).toHaveLength(2);
  expect(new Set(keys).size).toBe(2);
});

test('a saved plan whose response is lost is read again, and found saved', async ({
  signedIn: page,
  meridian,
}) => {
  const { plan } = await meridian.call(planCreate, { body: planBody(`lost-${Date.now()}`) });
  await page.goto(`${meridian.url}/plans/${plan.id}/edit`);
  await field(page, 'Display order').fill('61');
  await loseResponse(page, planUpdate);
  await submitPlan(page).click();
  await expect(page.getByText(`Plan updated successfully: ${plan.name}`)).toBeVisible();
  const saved = await meridian.call(planGet, { params: { id: plan.id } });
  expect(saved.plan.displayOrder).toBe(61);
});

test('a plan that was perhaps not saved is neither called saved nor unsaved', async ({
  signedIn: page,
  meridian,
}) => {
  const { plan } = await meridian.call(planCreate, { body: planBody(`cut-${Date.now()}`) });
  await page.goto(`${meridian.url}/plans/${plan.id}/edit`);
  await field(page, 'Display order').fill('62');
  await page.route(`**/plans/${plan.id}`, (route) =>
    route.request().method() === 'PUT' ? route.abort('connectionreset') : route.fallback(),
  );
  await submitPlan(page).click();
  await expect(page.getByRole('alert')).toHaveText(
    `Failed to update plan${UNKNOWN} Check the current state before you try again.`,
  );
  await page.unrouteAll();
  await submitPlan(page).click();
  await expect(page.getByText(`Plan updated successfully: ${plan.name}`)).toBeVisible();
});

test('a button whose response is lost says so, and shows the state as it is now', async ({
  signedIn: page,
  meridian,
}) => {
  const { plan } = await meridian.call(planCreate, { body: planBody(`button-${Date.now()}`) });
  await page.goto(`${meridian.url}/plans`);
  await loseResponse(page, planSetActive);
  const card = planCard(page, plan.name);
  await card.getByRole('button', { name: 'Deactivate' }).click();
  await expect(card.getByRole('alert')).toContainText(`Failed to toggle plan status${UNKNOWN}`);
  await expect(card.getByText('Inactive', { exact: true })).toBeVisible();
  await expect(page.getByText(`${plan.name} is now inactive`)).toHaveCount(0);
});

test('a dialog whose response is lost says so, and the page behind it is read again', async ({
  signedIn: page,
  meridian,
}) => {
  const { is_closed_beta: before } = await meridian.call(settingsGet);
  await page.goto(`${meridian.url}/settings`);
  await page.route(`**${settingsUpdate.path}`, (route) =>
    route.request().method() === settingsUpdate.method
      ? route.abort('connectionreset')
      : route.fallback(),
  );
  const toggle = service(page).getByRole('switch', { name: 'Closed beta' });
  await toggle.click();
  const dialog = page.getByRole('alertdialog');
  await dialog.getByRole('button', { name: 'Confirm' }).click();
  await expect(dialog.getByRole('alert')).toContainText(`Failed to update settings${UNKNOWN}`);
  await meridian.call(settingsUpdate, { body: { is_closed_beta: !before } });
  await dialog.getByRole('button', { name: 'Confirm' }).click();
  await expect(dialog).toHaveCount(0);
  await expect(toggle).toBeChecked({ checked: !before });
  await meridian.call(settingsUpdate, { body: { is_closed_beta: before } });
});

test('a dialog whose response is lost closes when the change is found made', async ({
  page,
  standIn,
}) => {
  const user = await openUser(page, standIn);
  standIn.on(userUpdate, () => {
    standIn.on(userGet, { body: { user: { ...user, status: 'BLOCKED' } } });
    return { status: 502, body: {} };
  });
  await managementOf(page).getByRole('button', { name: 'Blocked' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Confirm' }).click();
  await expect(page.getByText('Status changed to BLOCKED')).toBeVisible();
  await expect(page.getByRole('alertdialog')).toHaveCount(0);
});

test('a post whose deletion lost its response is read again, and found deleted', async ({
  page,
  app,
}) => {
  await openStoredPost(page, app);
  await loseResponse(page, postDelete);
  await page.getByRole('button', { name: 'Delete Post' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Confirm' }).click();
  await expect(page.getByText('Post deleted successfully')).toBeVisible();
  await expect(page.getByRole('alertdialog')).toHaveCount(0);
  await expect(page).toHaveURL(`${app.url}/posts`);
});

test('a post that was perhaps not deleted is still there, and the dialog says so', async ({
  page,
  app,
}) => {
  const post = await openStoredPost(page, app);
  await page.route(`**/posts/${post.id}`, (route) =>
    route.request().method() === 'DELETE' ? route.abort('connectionreset') : route.fallback(),
  );
  await page.getByRole('button', { name: 'Delete Post' }).click();
  const dialog = page.getByRole('alertdialog');
  await dialog.getByRole('button', { name: 'Confirm' }).click();
  await expect(dialog.getByRole('alert')).toContainText(UNKNOWN);
  expect(app.callsTo(postGet)).toHaveLength(2);
});

test('an assignment whose revocation lost its response is read again, and found revoked', async ({
  page,
  app,
}) => {
  const user = await app.rows.user();
  await app.rows.assignment(user);
  await app.open(`/users/${user.id}`);
  await loseResponse(page, assignmentRevoke);
  await plansOf(page).getByRole('button', { name: 'Revoke' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Confirm' }).click();
  await expect(page.getByText('Plan assignment revoked')).toBeVisible();
  await expect(page.getByRole('alertdialog')).toHaveCount(0);
  await expect(plansOf(page).getByText('Revoked', { exact: true })).toBeVisible();
});

test('a dialog whose response is lost closes when its user is gone', async ({ page, standIn }) => {
  await openUser(page, standIn);
  standIn.on(userUpdate, () => {
    standIn.on(userGet, { status: 404, body: {} });
    return { status: 502, body: {} };
  });
  await managementOf(page).getByRole('button', { name: 'Blocked' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Confirm' }).click();
  await expect(page.getByRole('alertdialog')).toHaveCount(0);
  await expect(page.getByText('Status changed to BLOCKED')).toHaveCount(0);
});

test('a change confirmed offline is known not to have been sent', async ({
  page,
  context,
  standIn,
}) => {
  await openUser(page, standIn);
  await managementOf(page).getByRole('button', { name: 'Blocked' }).click();
  await context.setOffline(true);
  const dialog = page.getByRole('alertdialog');
  await dialog.getByRole('button', { name: 'Confirm' }).click();
  await expect(dialog.getByRole('alert')).toContainText("You're offline. Nothing was sent.");
  await expect(dialog.getByText(UNKNOWN)).toHaveCount(0);
  expect(standIn.callsTo(userUpdate)).toHaveLength(0);
});

test('a refusal settles whether the change was made, a fault of the server leaves it open', async ({
  page,
  standIn,
}) => {
  await openPlans(page, standIn, [samplePlan()]);
  for (const [status, isUnknown] of [
    [409, false],
    [502, true],
  ] as const) {
    standIn.on(planSetActive, { status, body: { message: 'Not now' } });
    await page.getByRole('button', { name: 'Deactivate' }).click();
    await expect(page.getByRole('alert')).toContainText('Not now');
    await expect(page.getByText(UNKNOWN)).toHaveCount(isUnknown ? 1 : 0);
    await page.getByRole('button', { name: 'Dismiss' }).click();
    await expect(page.getByRole('alert')).toHaveCount(0);
  }
});
