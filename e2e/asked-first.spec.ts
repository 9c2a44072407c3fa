import { consequenceGet, engineGet } from '@meridian/contract';
import { withoutEvents } from './support/open-requests.ts';
import { expect, test } from './support/test.ts';

/* What a question says is read before it is asked: the control that was pressed is at work meanwhile. */

test('a plan and a currency show that whom they concern is being looked up', async ({
  page,
  app,
  catalogue,
}) => {
  await catalogue.plan();
  const { release } = await app.hold(consequenceGet);
  for (const [path, place] of [
    ['/plans', page.getByRole('main')],
    ['/settings', page.getByRole('row', { name: /^USD/ })],
  ] as const) {
    await app.open(path);
    await place.getByRole('button', { name: 'Deactivate' }).press('Enter');
    await expect(place.getByRole('button', { name: 'Deactivating...' })).toBeFocused();
  }
  release();
  await expect(page.getByRole('alertdialog', { name: 'Deactivate USD' })).toBeVisible();
});

test('so does the switch that resumes the service', async ({ page, app }) => {
  await withoutEvents(page);
  await app.rows.engine.suspend(new Date().toISOString());
  await app.open('/settings');
  const toggle = page.getByRole('switch', { name: 'Service suspension' });
  await expect(page.getByText('Suspended by')).toBeVisible();
  const { release } = await app.hold(engineGet);
  await toggle.press('Space');
  await expect(toggle).toHaveAttribute('aria-busy', 'true');
  release();
  await expect(page.getByRole('alertdialog', { name: 'Resume Service' })).toBeVisible();
});
