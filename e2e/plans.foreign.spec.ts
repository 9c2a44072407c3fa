import { currencyList, planGet, planList, planUpdate, settingsGet } from '@meridian/contract';
import { field, openPlanEdit, planCard, submitPlan, toggle, USD } from './support/plan-form.ts';
import { openPlans } from './support/plans-list.ts';
import { sampleCurrency, samplePlan } from './support/samples.ts';
import { OFF } from './support/settings-page.ts';
import { expect, test } from './support/test.ts';
import { visit } from './support/visit.ts';

const named = (en: string, displayOrder: number) =>
  samplePlan({ displayName: { en }, displayOrder });
const currency = (code: string, displayOrder: number) =>
  sampleCurrency({ code, name: code, displayOrder });

// Proves 2.92, 2.93
test('a card copes with what is missing', async ({ page, standIn }) => {
  const bare = {
    id: 'plan-7',
    tier: 'GOLD',
    name: 'internal-name',
    displayName: { ja: 'ゴールド' },
    priceMonthly: { eur: 5 },
    limits: { storage_mb: null },
    isActive: true,
    isVisible: false,
  };
  standIn.on(planList, { body: { plans: [bare] } });
  await visit(page, standIn, '/plans');
  const bareCard = planCard(page, 'internal-name');
  await expect(bareCard.getByText('GOLD')).toBeVisible();
  await expect(bareCard.getByText('No description')).toBeVisible();
  await expect(bareCard.getByText('– / month')).toBeVisible();
  await expect(bareCard.getByText('– / year')).toBeVisible();
  await expect(bareCard.getByRole('definition')).toHaveText([
    '–',
    '15 min',
    '300',
    '1',
    '4',
    '1 MB',
    'N/A',
    '0',
  ]);
  const tabs = page.getByRole('navigation', { name: 'Plans shown' }).getByRole('button');
  await expect(tabs).toHaveText(['All 1', 'Active 1', 'Inactive 0', 'Visible 0', 'Hidden 1']);
});

test('plans and currencies stand in display order, however the server sends them', async ({
  page,
  standIn,
}) => {
  await openPlans(page, standIn, [named('Two', 30), named('Three', 30), named('One', 4)]);
  // Of one order they stand by name.
  await expect(page.getByRole('heading', { level: 2 })).toHaveText(['One', 'Three', 'Two']);

  const { useDecimals: _, decimalPlaces: __, ...chf } = currency('chf', 5);
  const currencies = [currency('jpy', 10), currency('eur', 10), chf, USD];
  standIn.on(currencyList, { body: { currencies } });
  await page.goto(`${standIn.url}/plans/create`);
  await toggle(page, 'Paid plan').click();
  const monthly = page.getByRole('spinbutton', { name: /^Monthly price/ });
  await expect(monthly).toHaveCount(4);
  expect(
    await monthly.evaluateAll((inputs) => inputs.map((input) => input.getAttribute('name'))),
  ).toEqual(['usd', 'chf', 'eur', 'jpy'].map((code) => `priceMonthly.${code}`));
  // A currency that does not tell its decimals has two.
  await expect(field(page, 'Monthly price (CHF)')).toHaveAttribute('step', '0.01');

  standIn.on(settingsGet, { body: OFF });
  await page.goto(`${standIn.url}/settings`);
  await expect(page.getByRole('cell', { name: /^[A-Z]{3}$/ })).toHaveText([
    'USD',
    'CHF',
    'EUR',
    'JPY',
  ]);
});

test('a server without versions is asked without a condition, and loses nothing it sent', async ({
  page,
  standIn,
}) => {
  const { version: _, ...foreign } = {
    ...samplePlan({ displayName: { en: 'Studio', it: 'Studio' } }),
    limits: { storage_mb: 512, video_upload: true, team_seats: 3 },
  };
  standIn.on(currencyList, { body: { currencies: [USD] } }).on(planList, { body: { plans: [] } });
  // Bare, without the envelope.
  standIn.on(planGet, { body: foreign }).on(planUpdate, { body: foreign });
  await visit(page, standIn, `/plans/${foreign.id}/edit`);
  await expect(toggle(page, 'Video upload')).toBeChecked();
  await field(page, 'Storage (MB)').fill('1024');
  const request = page.waitForRequest((candidate) => candidate.method() === 'PUT');
  await submitPlan(page).click();
  expect((await request).headers()['if-match']).toBeUndefined();
  await expect(page).toHaveURL(/\/plans$/);
  expect(standIn.callsTo(planUpdate)[0]?.body).toMatchObject({
    displayName: { en: 'Studio', it: 'Studio' },
    limits: { storage_mb: 1024, video_upload_enabled: true, team_seats: 3 },
  });
});

test('what is wrong with a limit that is out of sight is told at the foot', async ({
  page,
  standIn,
}) => {
  const plan = samplePlan({ limits: { thread_posts: false, thread_posts_limit: 0 } });
  await openPlanEdit(page, standIn, plan);
  const sentence = page.getByText('Thread posts limit must be a whole number from 1 to 24');
  await field(page, 'Display order').fill('7');
  await submitPlan(page).click();
  await expect(page.getByRole('alert').filter({ has: sentence })).toBeVisible();
  // It goes to its field when that comes into sight.
  await toggle(page, 'Thread posts').click();
  await submitPlan(page).click();
  await expect(field(page, 'Thread posts limit')).toBeFocused();
  await expect(page.getByRole('alert').filter({ has: sentence })).toHaveCount(0);
  standIn.on(planUpdate, { body: { plan } });
  await field(page, 'Thread posts limit').fill('1');
  await submitPlan(page).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Plans' })).toBeVisible();
});
