import { handoverUpdate } from '@meridian/contract';
import { endSessionAtCall } from './support/end-session.ts';
import { logIn } from './support/login-page.ts';
import { expectAccessibleInTwoLooks } from './support/looks.ts';
import { cardOf, figureOf } from './support/now-section.ts';
import { withoutEvents } from './support/open-requests.ts';
import { expect, test } from './support/test.ts';

const minutesFromNow = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString();

test('the dashboard says what needs attention, and every number leads to its list', async ({
  page,
  app,
}) => {
  const { engine } = app.rows;
  await engine.clear();
  const latenessMs = { p50: 4.2, p95: 21, p99: 38, max: 120 };
  await engine.worker({ seenSeconds: 3600, lastMinute: { published: 600, latenessMs } });
  const user = await app.rows.user();
  // Read once: the next minute may begin before the second post is stored.
  const soon = minutesFromNow(20);
  for (const scheduled_at of [
    minutesFromNow(-9),
    minutesFromNow(-3),
    soon,
    soon,
    minutesFromNow(300),
  ]) {
    await app.rows.post({ user, scheduled_at });
  }
  await engine.hold(await app.rows.post({ user }), 'user_off');
  await engine.fail(user, { cause: 'host_down', error: 'HTTP 502', count: 4 });
  await engine.fail(user, { cause: null, error: 'EHOSTUNREACH', count: 1 });
  await engine.leaveFor(180);

  await app.open('/');
  await expect(figureOf(page, 'Overdue')).toContainText('2');
  await expect(figureOf(page, 'Overdue').getByRole('link')).toHaveAttribute(
    'href',
    '/posts?overdue=true',
  );
  await expect(figureOf(page, 'Stuck')).toContainText('0');
  await expect(figureOf(page, 'Lateness')).toContainText('4 ms');
  await expect(figureOf(page, 'Lateness')).toContainText('p95 21 ms');
  await expect(figureOf(page, 'Engine')).toContainText('Running');
  const held = figureOf(page, 'Held').getByRole('listitem');
  await expect(held).toHaveText(['Waits until the user is active again1']);
  await expect(held.getByRole('link')).toHaveAttribute('href', '/posts?hold=user_off');
  const failed = figureOf(page, 'Failed, last 24 hours');
  await expect(failed.getByRole('listitem')).toHaveText(['Network4', 'Us1']);
  await expect(failed.getByRole('link', { name: 'Network: 4', exact: true })).toHaveAttribute(
    'href',
    /^\/posts\?owner=network&failedFrom=.+&failedTo=.+$/,
  );
  // The card around it leads elsewhere: of a single digit, 24 pixels take the press.
  const atEdges = await failed.getByRole('link', { name: 'Us: 1' }).evaluate((link) => {
    link.scrollIntoView({ block: 'center' });
    const { left, right, top, bottom } = link.getBoundingClientRect();
    return [-11.5, 11.5].map((by) =>
      link.contains(document.elementFromPoint((left + right) / 2 + by, (top + bottom) / 2)),
    );
  });
  expect(atEdges).toEqual([true, true]);
  await expect(failed.getByRole('link', { name: 'See the causes' })).toBeVisible();

  const hour = cardOf(page, 'Due in the next hour');
  await expect(hour).toContainText(/2 posts, most at \d\d:\d\d \(2\)/);
  const bar = hour.getByRole('link', { name: /^\d\d:\d\d: 2 posts$/ });
  await expect(bar).toHaveAttribute('href', /^\/posts\?status=PENDING&from=.+&to=.+&order=asc$/);
  const day = cardOf(page, 'Due in the next 24 hours');
  const bars = day.getByRole('group').getByRole('link');
  await expect(bars).toHaveCount(2);
  await bars.first().focus();
  await page.keyboard.press('ArrowRight');
  await expect(bars.nth(1)).toBeFocused();

  // The tables for screen readers do not lengthen the page.
  const empty = await page.evaluate(
    () => document.documentElement.scrollHeight - document.body.getBoundingClientRect().height,
  );
  expect(empty).toBeLessThan(1);

  const visit = cardOf(page, 'Since your last visit');
  await expect(visit).toContainText('Failed5');
  await expect(visit.getByRole('link', { name: 'Failed: 5', exact: true })).toHaveAttribute(
    'href',
    /^\/posts\?failedFrom=.+&failedTo=.+$/,
  );
  await expectAccessibleInTwoLooks(page);
});

test('the hand-over note is left for the next administrator, and not overwritten unseen', async ({
  page,
  app,
}) => {
  await app.open('/');
  const card = cardOf(page, 'Hand-over note');
  const save = card.getByRole('button', { name: 'Save' });
  await card.getByRole('textbox').fill('Watch pds.example');
  await save.press('Enter');
  await expect(page.getByText('Hand-over note saved')).toBeVisible();
  await expect(card.getByRole('textbox')).toBeFocused();
  await expect(card).toContainText('admin,');
  await page.reload();
  await expect(card.getByRole('textbox')).toHaveValue('Watch pds.example');

  await card.getByRole('textbox').fill('Mine');
  await app.meridian.call(handoverUpdate, { body: { text: 'Theirs' } });
  await save.click();
  await expect(card.getByRole('alert')).toContainText('was changed by someone else');
  await expect(card.getByRole('textbox')).toHaveValue('Mine');
  await card.getByRole('button', { name: 'Discard' }).click();
  await expect(card.getByRole('textbox')).toHaveValue('Theirs');

  await card.getByRole('textbox').fill('Mine again');
  await app.meridian.call(handoverUpdate, { body: { text: 'Theirs, and longer' } });
  await save.click();
  await expect(card.getByRole('alert')).toContainText('Theirs, and longer');
  await card.getByRole('button', { name: 'Replace' }).click();
  await expect(page.getByText('Hand-over note saved')).toBeVisible();
  await page.reload();
  await expect(card.getByRole('textbox')).toHaveValue('Mine again');
});

test('the hand-over note takes nothing that saving it would clear', async ({ page, app }) => {
  await app.open('/');
  const card = cardOf(page, 'Hand-over note');
  const note = card.getByRole('textbox');
  const saving = await app.hold(handoverUpdate);
  await note.fill('Watch pds.example');
  await card.getByRole('button', { name: 'Save' }).click();
  await expect(card.getByRole('button', { name: 'Saving...' })).toBeVisible();
  await expect(note).not.toBeEditable();
  // What is on its way cannot be taken back.
  await expect(card.getByRole('button', { name: 'Discard' })).toBeDisabled();
  saving.release();
  await expect(page.getByText('Hand-over note saved')).toBeVisible();
  await expect(note).toBeEditable();
  await expect(note).toHaveValue('Watch pds.example');
});

test('a hand-over note survives the end of the session, and still overwrites no other', async ({
  page,
  visitor: app,
}) => {
  await withoutEvents(page);
  const token = await app.signInAs('ana', 'Ana Okafor');
  await app.open('/');
  const card = cardOf(page, 'Hand-over note');
  const note = card.getByRole('textbox');
  const save = card.getByRole('button', { name: 'Save' });
  await note.fill('A long note that takes long to type again');
  await endSessionAtCall(page, { url: app.url, token });
  await save.click();
  await expect(page.getByText('Your session has ended. Please log in again.')).toBeVisible();
  await app.meridian.call(handoverUpdate, { body: { text: 'Theirs' } });
  await logIn(page, 'ana');
  await expect(note).toHaveValue('A long note that takes long to type again');
  await expect(card.getByText('Your unsaved changes were restored')).toBeVisible();
  await save.click();
  await expect(card.getByRole('alert')).toContainText('was changed by someone else');
  await card.getByRole('button', { name: 'Discard' }).click();
  await expect(note).toHaveValue('Theirs');
  await expect(card.getByText('Your unsaved changes were restored')).toHaveCount(0);
});

test('a hand-over note that was saved while another tab logged out is not restored', async ({
  page,
  context,
  visitor: app,
}) => {
  await app.signInAs('ana', 'Ana Okafor');
  await app.open('/');
  const card = cardOf(page, 'Hand-over note');
  const saving = await app.hold(handoverUpdate);
  await card.getByRole('textbox').fill('Watch pds.example');
  await card.getByRole('button', { name: 'Save' }).click();
  // The tab forgets its token while the request is under way; the session itself goes on.
  const other = await context.newPage();
  await other.goto(`${app.url}/password`);
  await other.evaluate(() => localStorage.removeItem('admin_token'));
  await expect(page.getByText('You were logged out in another tab.')).toBeVisible();
  const saved = page.waitForResponse((response) => response.request().method() === 'PUT');
  saving.release();
  expect((await saved).status()).toBe(200);
  await logIn(page, 'ana');
  await expect(card.getByRole('textbox')).toHaveValue('Watch pds.example');
  await expect(card.getByRole('button', { name: 'Save' })).toHaveCount(0);
});
