import { meLinkCard } from '@meridian/contract/me/posts';
import type { Page } from '@playwright/test';
import {
  chooseLastDay,
  handleOf,
  people,
  schedule,
  signInPerson,
  test,
} from './support/people-page.ts';
import { expect } from './support/test.ts';

/** Every page has a preview: its title is its address. */
async function previewEveryLink(page: Page): Promise<void> {
  await page.route(`**${meLinkCard.path}`, (route) => {
    const { uri } = meLinkCard.body.parse(route.request().postDataJSON());
    return route.fulfill({
      json: { card: { uri, title: `Page ${uri}`, description: '', media: null } },
    });
  });
}

test('a preview follows its link as it is typed on or replaced, and outlives its removal', async ({
  page,
  service,
}) => {
  await previewEveryLink(page);
  await signInPerson(page, service.url, handleOf('links'));
  const preview = people.composer(page).getByText(/^Page /);
  const text = people.text(page);
  await text.pressSequentially('See https://example.org/');
  await expect(preview).toHaveText('Page https://example.org/');
  await text.pressSequentially('article');
  await expect(preview).toHaveText('Page https://example.org/article');
  await text.fill('https://other.example/ is better');
  await expect(preview).toHaveText('Page https://other.example/');
  await text.fill('No address in the text');
  await expect(preview).toHaveText('Page https://other.example/');
  await text.fill('Only https://third.example/ in the text');
  await expect(preview).toHaveText('Page https://third.example/');
  await text.press('ControlOrMeta+z');
  await expect(text).toHaveValue('No address in the text');
  await expect(preview).toHaveText('Page https://third.example/');
  await chooseLastDay(page);
  await schedule(page);
  const post = people.post(page, 'No address in the text');
  await expect(post.getByText('Page https://third.example/')).toBeVisible();
});

test('a preview that comes late is not that of the link that stands there by then', async ({
  page,
  service,
}) => {
  const asked = Promise.withResolvers<void>();
  const slow = Promise.withResolvers<void>();
  await page.route(`**${meLinkCard.path}`, async (route) => {
    const { uri } = meLinkCard.body.parse(route.request().postDataJSON());
    if (uri === 'https://slow.example/') {
      asked.resolve();
      await slow.promise;
    }
    const card = { uri, title: `Page ${uri}`, description: '', media: null };
    // The page may no longer want it.
    await route.fulfill({ json: { card } }).catch(() => undefined);
  });
  await signInPerson(page, service.url, handleOf('late'));
  const preview = people.composer(page).getByText(/^Page /);
  await people.text(page).fill('See https://slow.example/ and https://later.example/');
  await asked.promise;
  await people.text(page).fill('See https://later.example/');
  await expect(preview).toHaveText('Page https://later.example/');
  slow.resolve();
  await people.text(page).press('End');
  await people.text(page).pressSequentially(' and more');
  await expect(preview).toHaveText('Page https://later.example/');
});

test('a link that was pasted offline has its preview once the connection is back', async ({
  page,
  context,
  service,
}) => {
  await signInPerson(page, service.url, handleOf('tunnel'));
  const composer = people.composer(page);
  await context.setOffline(true);
  await people.text(page).fill('See https://example.org/');
  await expect(composer.getByText(/^No link preview\. You are offline/)).toBeVisible();
  await previewEveryLink(page);
  await context.setOffline(false);
  await expect(composer.getByText('Page https://example.org/')).toBeVisible();
  await expect(composer.getByText('No link preview')).toHaveCount(0);
});

test('a post that is scheduled before its preview arrives goes out with it', async ({
  page,
  service,
}) => {
  await previewEveryLink(page);
  await signInPerson(page, service.url, handleOf('quick'));
  await chooseLastDay(page);
  await people.text(page).fill('See https://example.org/');
  await schedule(page);
  const post = people.post(page, 'See https://example.org/');
  await expect(post.getByText('Page https://example.org/')).toBeVisible();

  await test.step('unless it takes too long', async () => {
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await page.route(`**${meLinkCard.path}`, () => undefined);
    await people.text(page).fill('Slow: https://slow.example/');
    await people.schedule(page).click();
    await expect(people.post(page, 'Slow:')).toBeVisible();
    await expect(people.post(page, 'Slow:').getByText('slow.example', { exact: true })).toHaveCount(
      0,
    );
  });

  await test.step('also while another post is changed', async () => {
    await people.text(page).fill('Later: https://slow.example/');
    await people.schedule(page).click();
    await people.post(page, 'Slow:').getByRole('button', { name: 'Edit' }).click();
    await expect(people.post(page, 'Later:')).toBeVisible();
    await expect(people.text(page)).toHaveValue(/^Slow:/);
  });
});

test('a text that is copied with its picture, as from a table, is pasted as text', async ({
  page,
  context,
  service,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await signInPerson(page, service.url, handleOf('paste'));
  const copy = (...types: string[]) =>
    page.evaluate(async (wanted) => {
      const canvas = new OffscreenCanvas(2, 2);
      canvas.getContext('2d')?.fillRect(0, 0, 2, 2);
      const text = 'Plan A\nPlan B';
      const all: Record<string, Blob> = {
        'text/plain': new Blob([text], { type: 'text/plain' }),
        'text/html': new Blob([`<p>${text}</p>`], { type: 'text/html' }),
        'image/png': await canvas.convertToBlob({ type: 'image/png' }),
      };
      const chosen = Object.fromEntries(Object.entries(all).filter(([t]) => wanted.includes(t)));
      await navigator.clipboard.write([new ClipboardItem(chosen)]);
    }, types);
  const pictures = people.composer(page).getByRole('button', { name: /^Remove picture/ });
  await people.text(page).focus();
  await copy('text/plain', 'text/html', 'image/png');
  await page.keyboard.press('Control+V');
  await expect(people.text(page)).toHaveValue('Plan A\nPlan B');
  await expect(pictures).toHaveCount(0);
  await copy('text/html', 'image/png');
  await page.keyboard.press('Control+V');
  await expect(pictures).toHaveCount(1);
  await expect(people.text(page)).toHaveValue('Plan A\nPlan B');
});
