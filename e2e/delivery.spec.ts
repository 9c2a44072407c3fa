import { authMe, deliveryGet, postGet } from '@meridian/contract';
import type { Page } from '@playwright/test';
import { isCallTo } from './support/calls.ts';
import { expectNoLayoutShift, watchLayoutShift } from './support/layout-shift.ts';
import { logIn, loginHeading } from './support/login-page.ts';
import { expectAccessibleInTwoLooks } from './support/looks.ts';
import { openStoredPost, previewOf } from './support/post-page.ts';
import { expect, rememberToken, test } from './support/test.ts';
import { withoutEvents } from './support/open-requests.ts';

const PLANNED = '2026-11-14T09:30:00.000Z';
const at = (seconds: number) => new Date(Date.parse(PLANNED) + seconds * 1000).toISOString();
const minutesFromNow = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString();
const deliveryOf = (page: Page) => page.getByRole('region', { name: 'Delivery' });
const stepsOf = (page: Page) =>
  deliveryOf(page).getByRole('list', { name: 'Steps' }).getByRole('listitem');

test('a published post shows its four steps, how late it was and its records', async ({
  page,
  app,
}) => {
  const status = 'COMPLETED';
  const post = await app.rows.post({ status, scheduled_at: PLANNED, executed_at: at(0.25) });
  const journal = {
    claimedAt: at(-1),
    sentAt: at(0.012),
    host: 'pds.example',
    rkeys: ['3ka', '3kb'],
  };
  await app.rows.engine.delivery(post, journal);
  await app.open(`/posts/${post.id}`);
  await expect(stepsOf(page)).toHaveText([
    'Planned14 Nov 2026, 10:30Sent 12 ms late',
    'Claimed14 Nov 2026, 10:291 s before',
    'Sent14 Nov 2026, 10:3012 ms after',
    'Confirmed14 Nov 2026, 10:30250 ms after',
  ]);
  await expect(deliveryOf(page)).toContainText('Published');
  await expect(deliveryOf(page)).toContainText('pds.example');
  await expect(deliveryOf(page).getByText('Record 2 of 2')).toBeVisible();
  await expect(deliveryOf(page).getByText(/\/app\.bsky\.feed\.post\/3kb$/)).toBeVisible();
  await expect(deliveryOf(page).getByRole('table')).toHaveCount(0);
  await expectAccessibleInTwoLooks(page);
});

test('a published post without a journal calls its earlier steps not recorded', async ({
  page,
  app,
}) => {
  const status = 'COMPLETED';
  const post = await app.rows.post({ status, scheduled_at: PLANNED, executed_at: at(0.25) });
  await app.open(`/posts/${post.id}`);
  await expect(stepsOf(page).nth(1)).toHaveText('ClaimedNot recorded');
  await expect(stepsOf(page).nth(2)).toHaveText('SentNot recorded');
  await expect(stepsOf(page).nth(3)).toContainText('14 Nov 2026');
});

test('a failed post shows its attempts, the cause and what can be done', async ({ page, app }) => {
  const post = await app.rows.post({ status: 'PROCESSING', scheduled_at: PLANNED });
  await app.rows.engine.delivery(post, { claimedAt: at(0), sentAt: at(1) });
  const slow = { attempt: 1, startedAt: at(1), endedAt: at(9), cause: 'host_slow' };
  await app.rows.engine.attempt(post, slow);
  const down = { attempt: 2, startedAt: at(11), endedAt: at(11.2), cause: 'host_down' };
  await app.rows.engine.attempt(post, { ...down, status: 502, error: 'UpstreamFailure' });
  await app.rows.engine.settle(post, 'FAILED', 'unknown_outcome');
  await app.open(`/posts/${post.id}`);
  const attempts = deliveryOf(page).getByRole('table', { name: 'Attempts' }).getByRole('row');
  await expect(attempts).toHaveCount(3);
  await expect(attempts.nth(1)).toContainText('502 UpstreamFailure');
  await expect(attempts.nth(1)).toContainText('took 200 ms');
  await expect(attempts.nth(2)).toContainText('pds.example did not respond in time');
  await expect(deliveryOf(page)).toContainText(
    'The post was sent, but pds.example never confirmed it',
  );
  await expect(deliveryOf(page)).toContainText(
    "Look at the user's profile on the network before the post is scheduled again",
  );
  await expect(stepsOf(page).last()).toHaveText('ConfirmedNo');
  await expectAccessibleInTwoLooks(page);
});

test('a held post says what it waits for', async ({ page, app }) => {
  const post = await app.rows.post();
  await app.rows.engine.hold(post, 'user_off');
  await app.open(`/posts/${post.id}`);
  await expect(deliveryOf(page)).toContainText('Waits until the user is active again');
  await expect(stepsOf(page).nth(1)).toHaveText('ClaimedNot yet');
  await expectAccessibleInTwoLooks(page);
});

test('a post that is being published is followed without a reload', async ({ page, app }) => {
  const post = await openStoredPost(page, app, { status: 'PROCESSING' });
  const information = page.getByRole('region', { name: 'Information' });
  await expect(information).toContainText('Processing');
  await app.rows.engine.settle(post, 'COMPLETED');
  await expect(information).toContainText('Completed');
  await expect(deliveryOf(page)).toContainText('Published');
});

test('the delivery that cannot be loaded leaves the post in place', async ({ page, app }) => {
  // Else it may be read again before the button is pressed.
  await withoutEvents(page);
  await page.route('**/delivery', (route) => route.abort());
  await openStoredPost(page, app);
  await expect(deliveryOf(page).getByRole('alert')).toContainText('Failed to load the delivery');
  await page.unroute('**/delivery');
  await deliveryOf(page).getByRole('button', { name: 'Retry' }).click();
  await expect(stepsOf(page).first()).toContainText('Planned');
});

test('a login that returns to a post shows it with its delivery, and nothing moves', async ({
  page,
  visitor,
}) => {
  await page.setViewportSize({ width: 360, height: 740 });
  const post = await visitor.rows.post();
  await watchLayoutShift(page);
  await rememberToken(page, 'an-invalid-token');
  await visitor.open(`/posts/${post.id}`);
  await expect(loginHeading(page)).toBeVisible();
  // Before this response it is not known whether the server shows deliveries.
  const features = await visitor.hold(authMe);
  const delivery = await visitor.hold(deliveryGet);
  const read = page.waitForResponse((response) => isCallTo(postGet)(response.request()));
  await logIn(page);
  await (await read).finished();
  await expectNoLayoutShift(page);
  features.release();
  await expect.poll(() => visitor.callsTo(deliveryGet).length).toBeGreaterThan(0);
  await expectNoLayoutShift(page);
  await expect(page.getByText('Loading...')).toBeVisible();
  delivery.release();
  await expect(stepsOf(page).first()).toContainText('Planned');
  await expectNoLayoutShift(page);
});

test('a thread and what it replies to are shown as readers will see them', async ({
  page,
  app,
}) => {
  const post = await app.rows.post({ content: 'First of three' });
  const link = {
    index: { byteStart: 0, byteEnd: 6 },
    features: [{ $type: 'app.bsky.richtext.facet#link', uri: 'https://second.example/' }],
  };
  await app.rows.engine.extend(
    post,
    [{ content: 'Second with a link', facets: [link] }, { content: 'Third' }],
    'at://did:plc:abc/app.bsky.feed.post/3kparent',
  );
  await app.open(`/posts/${post.id}`);
  await expect(previewOf(page)).toContainText(
    'Reply to at://did:plc:abc/app.bsky.feed.post/3kparent',
  );
  const parts = previewOf(page).getByRole('list', { name: 'Thread' }).getByRole('listitem');
  await expect(parts).toHaveText([/^2 of 3Second with a link/, '3 of 3Third']);
  await expect(parts.first().getByRole('link')).toHaveAttribute('href', 'https://second.example/');
  await expectAccessibleInTwoLooks(page);
});

test('a change by hand says what the engine does', async ({ page, app }) => {
  for (const [what, from, to, scheduled, words] of [
    [
      'publishing now',
      'PENDING',
      'Processing',
      60,
      'Publish now: the post will be sent to Bluesky at once, whatever its scheduled time.',
    ],
    [
      'waiting for its time',
      'CANCELLED',
      'Pending',
      60,
      'The post will be published at its scheduled time.',
    ],
    [
      'going out late',
      'CANCELLED',
      'Pending',
      -30,
      'Its scheduled time has passed: the post will be published at once.',
    ],
    [
      'being too late',
      'CANCELLED',
      'Pending',
      -90,
      "Its scheduled time passed more than 60 minutes ago: the post will be marked as failed because it's too late.",
    ],
    [
      'cancelling on the wire',
      'PROCESSING',
      'Cancelled',
      -1,
      'A request that is already on its way to Bluesky may still arrive.',
    ],
  ] as const) {
    await test.step(what, async () => {
      await openStoredPost(page, app, { status: from, scheduled_at: minutesFromNow(scheduled) });
      await page.getByRole('button', { name: to, exact: true }).click();
      const dialog = page.getByRole('alertdialog');
      await expect(dialog.getByRole('paragraph').first()).toHaveText(
        `Change post status from ${from} to ${to.toUpperCase()}?`,
      );
      await expect(dialog).toContainText(words);
    });
  }
});

test('publishing now says so when the service is suspended or no engine is running', async ({
  page,
  app,
}) => {
  const dialog = page.getByRole('alertdialog');
  await app.rows.engine.clear();
  await app.rows.engine.worker({ seenSeconds: -90 });
  await openStoredPost(page, app);
  await expect(page.getByText('No engine is running')).toBeVisible();
  await page.getByRole('button', { name: 'Processing' }).click();
  await expect(dialog).toContainText('No engine is running, so it waits until one is started.');
  await app.rows.engine.suspend(PLANNED);
  await openStoredPost(page, app);
  await expect(page.getByText('Service suspended')).toBeVisible();
  await page.getByRole('button', { name: 'Processing' }).click();
  await expect(dialog).toContainText('so it waits until the service is resumed.');
});
