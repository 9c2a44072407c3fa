import { authLogin, planList, postGet, postList, userList } from '@meridian/contract';
import type { Page } from '@playwright/test';
import { gate } from './support/gate.ts';
import { untilAnswered, watchRequests } from './support/open-requests.ts';
import { ME, samplePost } from './support/samples.ts';
import type { StandIn } from './support/stand-in.ts';
import { expect, test } from './support/test.ts';
import { storedToken, visit } from './support/visit.ts';
import { answerEverything } from './support/whole-stand-in.ts';

const FIRST_PAGE = '/api/admin/posts?limit=20&sort=scheduled_at&order=desc';

const inSidebar = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name });
const urlsOf = (standIn: StandIn) => standIn.calls.map(({ url }) => url);

/** Opens a page that asks for nothing itself, with a response ready for every request. */
async function start(page: Page, standIn: StandIn, path = '/password') {
  answerEverything(standIn);
  watchRequests(page);
  await visit(page, standIn, path);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
}

/** From now on nothing comes: neither code nor data. */
async function cutNetwork(page: Page) {
  await untilAnswered(page);
  await page.route('**/*', (route) => route.abort());
}

test.describe('a link in the sidebar needs no network after', () => {
  test('the pointer rested on it', async ({ page, standIn }) => {
    for (const [name, settled] of [
      ['Users', (page: Page) => page.getByRole('link', { name: /^View Details of/ }).first()],
      ['Posts', (page: Page) => page.getByRole('link', { name: 'Post number 1', exact: true })],
      ['Tickets', (page: Page) => page.getByRole('link', { name: 'K7QM-2XTD-9HRA-W4NB' }).first()],
      ['Plans', (page: Page) => page.getByRole('link', { name: 'Edit' }).first()],
      ['Service Settings', (page: Page) => page.getByRole('cell', { name: 'US Dollar' })],
      ['Dashboard', (page: Page) => page.getByRole('table', { name: 'Posts by Status' })],
    ] as const) {
      await test.step(name, async () => {
        // Off the link of the step before, which would be prefetched again.
        await page.mouse.move(1000, 850);
        standIn.calls.length = 0;
        await start(page, standIn);
        await inSidebar(page, name).hover();
        await expect.poll(() => standIn.calls.length).toBeGreaterThan(1);
        await cutNetwork(page);
        const before = urlsOf(standIn);
        await inSidebar(page, name).click();
        await expect(settled(page)).toBeVisible();
        await expect(page.getByRole('alert')).toHaveCount(0);
        // Once each: neither the press nor the page asked again.
        expect(urlsOf(standIn)).toEqual(before);
        expect(before).toEqual([...new Set(before)]);
        await page.unrouteAll();
      });
    }
  });

  test('it got the focus', async ({ page, standIn }) => {
    await start(page, standIn);
    await inSidebar(page, 'Users').focus();
    // As the keyboard does it: from the link before.
    await page.keyboard.press('Tab');
    await expect(inSidebar(page, 'Posts')).toBeFocused();
    await expect.poll(() => standIn.callsTo(postList).length).toBe(1);
    await cutNetwork(page);
    await page.keyboard.press('Enter');
    await expect(page.getByRole('link', { name: 'Post number 1', exact: true })).toBeVisible();
  });

  test('a finger touched it', async ({ page, standIn }) => {
    await start(page, standIn);
    await inSidebar(page, 'Posts').dispatchEvent('pointerdown', { pointerType: 'touch' });
    await expect.poll(() => standIn.callsTo(postList).length).toBe(1);
    await cutNetwork(page);
    await inSidebar(page, 'Posts').dispatchEvent('click');
    await expect(page.getByRole('link', { name: 'Post number 1', exact: true })).toBeVisible();
  });
});

test('a row brings its detail', async ({ page, standIn }) => {
  await start(page, standIn, '/posts');
  standIn.on(postGet, { body: { post: samplePost({ content: 'All of it' }) } });
  const row = page.getByRole('link', { name: 'Post number 3', exact: true });
  await row.hover();
  await expect.poll(() => standIn.callsTo(postGet).length).toBe(1);
  await cutNetwork(page);
  await row.click();
  await expect(page.getByText('All of it')).toBeVisible();
  expect(standIn.callsTo(postGet)).toHaveLength(1);
});

test('the pager brings the next page, and the first one without an offset', async ({
  page,
  standIn,
}) => {
  await start(page, standIn, '/posts?page=2');
  standIn.calls.length = 0;
  await page.getByRole('link', { name: 'Next' }).hover();
  await expect
    .poll(() => urlsOf(standIn))
    .toEqual(['/api/admin/posts?limit=20&offset=40&sort=scheduled_at&order=desc']);
  await page.getByRole('link', { name: 'Previous' }).hover();
  await expect.poll(() => urlsOf(standIn).slice(1)).toEqual([FIRST_PAGE]);
  await cutNetwork(page);
  await page.getByRole('link', { name: 'Previous' }).click();
  await expect(page.getByText('Showing 1 to 20 of 60 posts')).toBeVisible();
  expect(standIn.calls).toHaveLength(2);
});

test('a slice of the dashboard brings its list', async ({ page, standIn }) => {
  await start(page, standIn, '/');
  await page.getByRole('link', { name: 'Pending', exact: true }).hover();
  await expect
    .poll(() => standIn.callsTo(postList).map(({ url }) => url))
    .toEqual(['/api/admin/posts?limit=20&status=PENDING&sort=scheduled_at&order=desc']);
});

test('what is here already is not fetched for a page whose code is not', async ({
  page,
  standIn,
}) => {
  await start(page, standIn, '/tickets/issue');
  await expect(page.getByRole('combobox', { name: /^Plan/ })).toBeVisible();
  await inSidebar(page, 'Plans').click();
  await expect(page.getByRole('link', { name: 'Edit' }).first()).toBeVisible();
  expect(standIn.callsTo(planList)).toHaveLength(1);
});

test('a call that fails under the pointer is tried again, as any other', async ({
  page,
  standIn,
}) => {
  await start(page, standIn);
  let tries = 0;
  await page.route('**/api/admin/posts?*', (route) => {
    tries += 1;
    return tries === 1 ? route.abort() : route.continue();
  });
  await inSidebar(page, 'Posts').click();
  await expect(page.getByRole('link', { name: 'Post number 1', exact: true })).toBeVisible();
  expect(tries).toBe(2);
});

test('after a while what was prefetched is shown, and asked for again', async ({
  page,
  standIn,
}) => {
  await page.clock.install();
  await start(page, standIn);
  const answered = page.waitForResponse((response) => response.url().includes(userList.path));
  await inSidebar(page, 'Users').hover();
  await (await answered).finished();
  // One more answer: by then the page has read the one before, whose age counts from there.
  await page.evaluate(async () => (await fetch(location.href)).text());
  await page.clock.fastForward(11_000);
  await inSidebar(page, 'Users').click();
  await expect(page.getByRole('link', { name: /^View Details of/ }).first()).toBeVisible();
  await expect.poll(() => standIn.callsTo(userList).length).toBe(2);
});

for (const isPointer of [true, false]) {
  const passer = isPointer ? 'a pointer' : 'the Tab key';
  test(`${passer} that only passes over a link preloads nothing`, async ({ page, standIn }) => {
    await page.clock.install();
    await start(page, standIn);
    await untilAnswered(page);
    await page.clock.pauseAt(new Date(Date.now() + 60_000));
    await inSidebar(page, 'Dashboard').focus();
    await (isPointer ? inSidebar(page, 'Users').hover() : page.keyboard.press('Tab'));
    await page.clock.runFor(isPointer ? 20 : 200);
    await (isPointer ? inSidebar(page, 'Posts').hover() : page.keyboard.press('Tab'));
    await page.clock.runFor(1000);
    await expect.poll(() => standIn.callsTo(postList).length).toBe(1);
    expect(standIn.callsTo(userList)).toEqual([]);
  });
}

test('with data saving on, a link preloads nothing', async ({ page, standIn }) => {
  await page.addInitScript(() => {
    Object.defineProperty(navigator, 'connection', { value: { saveData: true } });
  });
  await start(page, standIn);
  await inSidebar(page, 'Users').hover();
  await inSidebar(page, 'Plans').focus();
  await inSidebar(page, 'Posts').click();
  await expect(page.getByRole('link', { name: 'Post number 1', exact: true })).toBeVisible();
  expect(urlsOf(standIn)).toEqual(['/api/admin/auth/me', FIRST_PAGE]);
});

test('a press shows prefetched rows although the network stands still', async ({
  page,
  standIn,
}) => {
  await start(page, standIn);
  const answered = page.waitForResponse('**/api/admin/posts?*');
  await inSidebar(page, 'Posts').hover();
  await (await answered).finished();
  await untilAnswered(page);

  // From now on nothing is answered before the gate opens.
  const network = gate();
  answerEverything(standIn, () => network.opened);
  standIn.calls.length = 0;
  await inSidebar(page, 'Posts').click();
  await expect(page.getByRole('link', { name: 'Post number 1', exact: true })).toBeVisible();
  expect(standIn.calls).toEqual([]);

  // What was not prefetched does wait for it.
  await inSidebar(page, 'Users').click();
  await expect(page.getByRole('heading', { level: 1, name: 'Users' })).toBeVisible();
  await expect.poll(() => standIn.callsTo(userList).length).toBe(1);
  const users = page.getByRole('link', { name: /^View Details of/ });
  await expect(users).toHaveCount(0);
  network.open();
  await expect(users.first()).toBeVisible();
  expect(standIn.callsTo(userList)).toHaveLength(1);
});

/** Signs in again, and waits for the page that was wanted. */
async function expectWayBack(page: Page, standIn: StandIn) {
  await expect(page.getByRole('status')).toHaveText('Your session has ended. Please log in again.');
  answerEverything(standIn);
  standIn.on(authLogin, { body: { token: 'next-token', admin: ME } });
  await page.getByRole('textbox', { name: 'Username' }).fill('ana');
  await page.getByRole('textbox', { name: 'Password' }).fill('a long secret');
  await page.getByRole('button', { name: 'Log in' }).click();
  await expect(page).toHaveURL(`${standIn.url}/posts`);
  await expect(page.getByRole('link', { name: 'Post number 1', exact: true })).toBeVisible();
}

test.describe('a session that has ended', () => {
  const ENDED = { status: 401, body: { message: 'Session expired' } };

  test('is left alone by a pointer that rests, and the login leads to the page pressed', async ({
    page,
    standIn,
  }) => {
    await start(page, standIn);
    standIn.on(postList, ENDED);
    const refused = page.waitForResponse('**/api/admin/posts?*');
    await inSidebar(page, 'Posts').hover();
    await (await refused).finished();
    await untilAnswered(page);
    await expect(page.getByRole('heading', { name: 'Change Password' })).toBeVisible();
    expect(await storedToken(page)).toBe('a-token');
    await inSidebar(page, 'Posts').click();
    await expectWayBack(page, standIn);
  });

  test('is met while the page pressed waits for what the pointer asked for', async ({
    page,
    standIn,
  }) => {
    await start(page, standIn);
    const answer = gate();
    standIn.on(postList, { ...ENDED, until: answer.opened });
    await inSidebar(page, 'Posts').hover();
    await expect.poll(() => standIn.callsTo(postList).length).toBe(1);
    await inSidebar(page, 'Posts').click();
    await expect(page.getByRole('heading', { name: 'Scheduled Posts' })).toBeVisible();
    answer.open();
    await expectWayBack(page, standIn);
  });
});
