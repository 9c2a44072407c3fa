import {
  currencyList,
  planCreate,
  planGet,
  planList,
  planUpdate,
  type Currency,
  type Plan,
} from '@meridian/contract';
import { expect } from 'vitest';
import { type Locator, page } from 'vitest/browser';
import {
  address,
  button,
  choose,
  click,
  clock,
  drawn,
  field,
  fill,
  link,
  press,
  texts,
  toggle,
  watchShifts,
} from './hands.ts';
import { open, resize, test } from './render.tsx';
import { sampleCurrency, samplePlan, type Server } from './server.ts';

const USD = sampleCurrency();
const JPY = sampleCurrency({
  code: 'jpy',
  name: 'Japanese Yen',
  symbol: '¥',
  useDecimals: false,
  displayOrder: 20,
});
const EUR = sampleCurrency({ code: 'eur', name: 'Euro', symbol: '€', displayOrder: 20 });
const CHF = sampleCurrency({ code: 'chf', name: 'Swiss Franc', symbol: 'Fr', displayOrder: 999 });
const withdrawn = (currency: Currency): Currency => ({ ...currency, isActive: false });

/** Of a whole number without a bound of its own. */
const MOST = '2147483647';
const NEEDS_PRICE = 'A paid plan needs a monthly price in at least one active currency';
const UNREADABLE = 'Write a price in digits, with a point before the decimals: 1000 or 4.90';

const submit = button(/^(Create|Update) Plan/);
const alert = page.getByRole('alert');
const tab = (name: string | RegExp) => page.getByRole('tab', { name });
const optionsOf = (name: string) => texts(field(name).getByRole('option'));
const boundsOf = (name: string) =>
  ['min', 'max'].map((bound) => field(name).element().getAttribute(bound));
const unlimited = (name: string) => page.getByRole('checkbox', { name: `Unlimited ${name}` });
const isChecked = (target: Locator) => target.query()?.matches(':checked');
const created = page.getByText('Plan created successfully: creator');

/** A server that takes every plan. */
function answerPlans(server: Server, currencies: Currency[]): void {
  const made = samplePlan({ name: 'creator' });
  server.answer(currencyList, { currencies }).answer(planList, { plans: [made] });
  server.answer(planCreate, { plan: made });
}

async function openCreate(server: Server, currencies = [USD, JPY]): Promise<void> {
  answerPlans(server, currencies);
  open(server, '/plans/create');
  await expect.element(field('Name')).toBeVisible();
}

async function openEdit(server: Server, plan: Plan, currencies: Currency[]): Promise<void> {
  answerPlans(server, currencies);
  server.answer(planGet, { plan }).answer(planUpdate, { plan });
  open(server, `/plans/${plan.id}/edit`);
}

async function fillRequired(): Promise<void> {
  await choose(field('Tier'), 'BASIC');
  await fill(field('Name'), 'creator');
  await fill(field('Display name'), 'Creator');
  await fill(field('Description'), 'For every day');
}

// Proves 2.102, 5.10, 5.11, 5.12, 5.13, 5.14, 5.15, 5.17, 9.4, 9.5
test('opens without moving anything, with the defaults, bounds and hints of the specification', async ({
  server,
}) => {
  answerPlans(server, [USD, JPY]);
  const held = server.hold(currencyList);
  const shifts = watchShifts();
  open(server, '/plans/create');
  await expect.element(page.getByRole('status').getByText('Loading...')).toBeVisible();
  held.release();
  await expect.element(field('Name')).toBeVisible();
  expect(await shifts()).toEqual([]);
  await expect
    .element(page.getByRole('heading', { level: 1, name: 'Create New Plan' }))
    .toBeVisible();
  await expect.poll(() => document.title).toBe('Create New Plan · Meridian');
  expect(optionsOf('Tier')()).toEqual(['FREE', 'BASIC', 'PREMIUM', 'ENTERPRISE']);
  await expect.element(field('Schedule interval')).toHaveDisplayValue('10 minutes');
  const intervals = ['1 minute', '5 minutes', '10 minutes', '15 minutes'];
  expect(optionsOf('Schedule interval')()).toEqual(intervals);
  for (const [name, isOn] of [
    ['Active', true],
    ['Visible', true],
    ['Paid plan', false],
    ['Markdown support', false],
    ['Thread posts', false],
    ['Video upload', false],
  ] as const) {
    await expect.poll(() => isChecked(toggle(name)), { message: name }).toBe(isOn);
  }
  expect(texts(page.getByRole('tab'))()).toEqual([
    'English',
    'Japanese',
    'Spanish',
    'French',
    'Korean',
    'German',
    'Portuguese',
  ]);
  await expect.element(field('Default currency')).toHaveDisplayValue(/^USD/);
  expect(server.callsTo(currencyList)[0]?.url).toBe('/api/admin/currencies?includeInactive=true');

  await click(toggle('Thread posts'));
  await click(toggle('Video upload'));
  for (const [name, value, min, max] of [
    ['Monthly posts', '10', '-1', MOST],
    ['Pending posts', '3', '-1', MOST],
    ['Concurrent posts', '', '-1', MOST],
    ['Max schedule days', '7', '1', MOST],
    ['Max post length', '300', '1', '1000'],
    ['Max images per post', '1', '0', '4'],
    ['Max image size (MB)', '1', '1', MOST],
    ['Storage (MB)', '100', '-1', MOST],
    ['API rate limit per hour', '60', '-1', MOST],
    ['Data retention days', '30', '-1', MOST],
    ['Thread posts limit', '1', '1', '24'],
    ['Max video size (MB)', '0', '0', MOST],
    ['Video minutes per month', '0', '0', MOST],
    ['Display order', '0', '0', null],
  ] as const) {
    await expect.element(field(name), { message: name }).toHaveValue(value);
    await expect.poll(() => boundsOf(name), { message: name }).toEqual([min, max]);
  }
  for (const [name, hint] of [
    ['Max post length', /Bluesky allows 300 characters per post\./],
    ['Thread posts limit', /25 posts per thread in total/],
    ['Max images per post', /4 images/],
    ['Max image size (MB)', /1 MB/],
  ] as const) {
    await expect.element(field(name)).toHaveAccessibleDescription(hint);
  }
});

// Proves 5.5, 5.6
test('asks for what is missing, word for word, and leads there', async ({ server }) => {
  await openCreate(server);
  await click(tab('Japanese'));
  await click(toggle('Paid plan'));
  await click(submit);
  const tierAndName = /Tier and name are required/;
  await expect.element(field('Tier')).toHaveAccessibleDescription(tierAndName);
  await expect.element(field('Tier')).toHaveFocus();
  // All that is missing is marked at once, and no sentence is said twice.
  await expect.element(field('Name')).toHaveAccessibleDescription(/^Name is required/);
  const english = 'English display name and description are required';
  await expect.element(field('Display name')).toHaveAccessibleDescription(english);
  await expect
    .element(field('Description'))
    .toHaveAccessibleDescription('Description (English) is required');
  await click(toggle('Paid plan'));
  await choose(field('Tier'), 'BASIC');
  await expect.element(field('Name')).toHaveAccessibleDescription(tierAndName);
  await fill(field('Name'), 'creator');

  // The error is behind another tab: that tab comes forward.
  await click(tab('Japanese'));
  await click(submit);
  await expect.element(tab(/English/)).toHaveAttribute('aria-selected', 'true');
  await expect.element(field('Display name')).toHaveAccessibleDescription(english);
  await expect.element(field('Display name')).toHaveFocus();
  await fill(field('Display name'), 'Creator');
  await expect.element(field('Description')).toHaveAccessibleDescription(english);
  await fill(field('Description'), 'For every day');
  await expect.element(page.getByText(english)).not.toBeInTheDocument();
  expect(server.callsTo(planCreate)).toEqual([]);
});

test('refuses a number that is out of bounds or cannot be read, at its field', async ({
  server,
}) => {
  await openCreate(server);
  await fillRequired();
  const wholeNumber = /Monthly posts must be a whole number of at least -1/;
  for (const [name, value, message, accepted] of [
    ['Monthly posts', '-2', wholeNumber, '10'],
    ['Monthly posts', '1,000', wholeNumber, '10'],
    ['Monthly posts', '1.000', wholeNumber, '10'],
    ['Monthly posts', '1e3', wholeNumber, '10'],
    ['Monthly posts', '\uff11\uff12', wholeNumber, '10'],
    ['Monthly posts', '999999999999', /Monthly posts must be at most 2147483647/, '10'],
    ['Max post length', '1001', /Max post length must be a whole number from 1 to 1000/, '300'],
    ['Max images per post', '2.5', /Max images per post must be a whole number from 0 to 4/, '4'],
    ['Storage (MB)', '', /Storage must be a whole number of at least -1/, '100'],
    ['Display order', '-1', /Display order must be a whole number of at least 0/, '0'],
    ['Display order', '99999999999', /Display order must be at most 2147483647/, '0'],
  ] as const) {
    await fill(field(name), value);
    await click(submit);
    await expect.element(field(name)).toHaveAccessibleDescription(message);
    await expect.element(field(name)).toHaveFocus();
    await fill(field(name), accepted);
  }
  // What cannot be read stays as it was typed when an arrow is pressed.
  await fill(field('Monthly posts'), '1,000');
  await press('{ArrowUp}', field('Monthly posts'));
  await expect.element(field('Monthly posts')).toHaveValue('1,000');
  expect(server.callsTo(planCreate)).toEqual([]);
});

// Proves 2.103, 2.104, 2.110, 4.33, 8.48, 9.12
test('sends every field once, says so, and returns after two seconds', async ({ server }) => {
  // The code of the page it returns to is then there, so that leaving too early is seen.
  answerPlans(server, [USD, JPY]);
  open(server, '/plans');
  await expect.element(page.getByRole('heading', { level: 1, name: 'Plans' })).toBeVisible();
  await openCreate(server);
  await fillRequired();
  await fill(field('Name'), ' creator ');
  await fill(field('Features'), ' Ten posts \n\n  \nTwo pictures\n');
  await click(tab('Japanese'));
  await fill(field('Display name'), 'クリエイター');
  await expect
    .poll(texts(page.getByRole('tab')))
    .toEqual([
      'English, has text',
      'Japanese, has text',
      'Spanish',
      'French',
      'Korean',
      'German',
      'Portuguese',
    ]);
  await click(toggle('Paid plan'));
  await fill(field('Monthly price (USD)'), '4.90');
  await fill(field('Yearly price (JPY)'), '7000');
  await choose(field('Default currency'), 'JPY · Japanese Yen');
  await fill(field('Monthly posts'), '-1');
  await choose(field('Schedule interval'), '5 minutes');
  await click(toggle('Thread posts'));
  await fill(field('Thread posts limit'), '24');
  await click(toggle('Markdown support'));
  await click(toggle('Video upload'));
  await fill(field('Video minutes per month'), '60');
  await fill(field('Concurrent posts'), '20');
  await fill(field('Display order'), '30');
  await click(toggle('Visible'));

  const held = server.hold(planCreate);
  clock.stop();
  await click(submit, 2);
  await expect.element(page.getByText('Creating...')).toBeVisible();
  held.release();
  await clock.until(created);
  // Until the way back nothing can be typed, and the message has the focus.
  await expect.poll(() => document.querySelector('form')?.inert).toBe(true);
  const messages = page.getByRole('region', { name: 'Messages' });
  await expect.poll(() => messages.element().contains(document.activeElement)).toBe(true);
  expect(document.activeElement?.textContent).toContain('Plan created successfully: creator');
  await press('lost');
  await expect.element(page.getByLabelText(/^Name/).first()).toHaveValue(' creator ');
  await clock.run(1900);
  await drawn();
  expect(address()).toBe('/plans/create');
  await clock.run(200);
  await expect.poll(address).toBe('/plans');
  await expect.element(created).toBeVisible();

  expect(server.bodiesOf(planCreate)).toEqual([
    {
      tier: 'BASIC',
      name: 'creator',
      displayName: { en: 'Creator', ja: 'クリエイター' },
      description: { en: 'For every day' },
      priceMonthly: { usd: 4.9 },
      priceYearly: { jpy: 7000 },
      currency: 'jpy',
      limits: {
        monthly_posts_limit: -1,
        pending_posts_limit: 3,
        concurrent_posts_limit: 20,
        max_schedule_days: 7,
        schedule_interval_minutes: 5,
        markdown_support: true,
        max_images_per_post: 1,
        max_image_size_mb: 1,
        thread_posts: true,
        thread_posts_limit: 24,
        video_upload_enabled: true,
        max_video_size_mb: null,
        video_processing_minutes_per_month: 60,
        max_post_length: 300,
        storage_mb: 100,
        api_rate_limit_per_hour: 60,
        data_retention_days: 30,
      },
      features: { en: ['Ten posts', 'Two pictures'] },
      displayOrder: 30,
      isActive: true,
      isVisible: false,
    },
  ]);
});

// Proves 2.107
test('the switches reveal their limits, and take them out of the way', async ({ server }) => {
  await openCreate(server);
  await fillRequired();
  await expect.element(field('Thread posts limit')).not.toBeInTheDocument();
  await click(toggle('Thread posts'));
  await expect.element(field('Thread posts limit')).toHaveValue('1');
  await fill(field('Thread posts limit'), '25');
  await click(submit);
  await expect
    .element(field('Thread posts limit'))
    .toHaveAccessibleDescription(/Thread posts limit must be a whole number from 1 to 24/);
  await click(toggle('Thread posts'));

  await expect.element(field('Max video size (MB)')).not.toBeInTheDocument();
  await expect.element(field('Video minutes per month')).not.toBeInTheDocument();
  await click(toggle('Video upload'));
  await fill(field('Max video size (MB)'), 'much');
  await fill(field('Video minutes per month'), '60');
  await click(toggle('Video upload'));
  await click(submit);
  await expect.element(created).toBeVisible();
  // What is out of the way is sent as if it had not been touched.
  expect(server.bodiesOf(planCreate)).toEqual([
    expect.objectContaining({
      limits: expect.objectContaining({
        thread_posts: false,
        thread_posts_limit: 1,
        video_upload_enabled: false,
        max_video_size_mb: null,
      }),
    }),
  ]);
});

test('Unlimited is a checkbox, and -1 to the server', async ({ server }) => {
  await openCreate(server);
  await fillRequired();
  expect(page.getByRole('checkbox', { name: /^Unlimited/ }).elements()).toHaveLength(6);
  await click(unlimited('Storage (MB)'));
  await expect.element(field('Storage (MB)')).toBeDisabled();
  await click(unlimited('Pending posts'));
  await expect.element(unlimited('Pending posts')).toBeChecked();
  await click(unlimited('Pending posts'));
  await expect.element(field('Pending posts')).toHaveValue('3');
  // Typed as a number it means the same, and the field stays until it is left.
  await fill(field('Monthly posts'), '-1');
  await expect.element(unlimited('Monthly posts')).toBeChecked();
  // A field that is disabled keeps the focus until the next frame.
  await drawn();
  await expect.element(field('Monthly posts')).toHaveFocus();
  await expect.element(field('Monthly posts')).toBeEnabled();
  await click(submit);
  await expect.element(created).toBeVisible();
  expect(server.bodiesOf(planCreate)).toEqual([
    expect.objectContaining({
      limits: expect.objectContaining({
        storage_mb: -1,
        pending_posts_limit: 3,
        monthly_posts_limit: -1,
      }),
    }),
  ]);
});

test('works by keyboard alone', async ({ server }) => {
  await openCreate(server);
  await fillRequired();
  await press('{ArrowLeft}', tab(/English/));
  await expect.element(tab('Portuguese')).toHaveFocus();
  await press('{Tab}');
  await press('Criador');
  await expect.element(tab(/Portuguese/)).toHaveTextContent('Portuguese, has text');
  await press(' ', toggle('Thread posts'));
  await expect.element(field('Thread posts limit')).toBeVisible();
  await press('{ArrowUp}{Enter}', field('Thread posts limit'));
  await expect.element(created).toBeVisible();
  expect(server.bodiesOf(planCreate)).toEqual([
    expect.objectContaining({
      displayName: { en: 'Creator', pt: 'Criador' },
      limits: expect.objectContaining({ thread_posts: true, thread_posts_limit: 2 }),
    }),
  ]);
});

test('a refusal is said once, at its field, and nothing typed is lost', async ({ server }) => {
  await openCreate(server);
  await fillRequired();
  server.refuse(planCreate, 'plan_name_taken');
  const held = server.hold(planCreate);
  await click(submit);
  await expect.element(page.getByText('Creating...')).toBeVisible();
  held.release();
  await expect
    .element(field('Name'))
    .toHaveAccessibleDescription(/A plan with this name already exists/);
  await expect.element(field('Name')).toHaveFocus();
  await expect.element(alert).not.toBeInTheDocument();

  await fill(field('Name'), 'another');
  await click(toggle('Paid plan'));
  await fill(field('Monthly price (USD)'), '9');
  await fill(field('Monthly price (JPY)'), '999');
  const message = 'There is no currency JPY';
  const issues = [{ path: 'priceMonthly.jpy', message }];
  server.refuse(planCreate, 'invalid_input', { message, issues });
  await click(submit);
  const price = field('Monthly price (JPY)');
  await expect.element(price).toHaveAccessibleDescription(message);
  await expect.element(price).toHaveFocus();
  await expect.element(alert).not.toBeInTheDocument();
  await expect.element(field('Name')).toHaveValue('another');
  expect(address()).toBe('/plans/create');
});

test('leaving with unsaved changes asks first', async ({ server }) => {
  await openCreate(server);
  await fill(field('Name'), 'creator');
  await click(link('Cancel'));
  const dialog = page.getByRole('alertdialog');
  await click(dialog.getByRole('button', { name: 'Cancel' }));
  await expect.element(dialog).not.toBeInTheDocument();
  expect(address()).toBe('/plans/create');
  await expect.element(field('Name')).toHaveValue('creator');
  await click(link('Cancel'));
  await click(dialog.getByRole('button', { name: 'Confirm' }));
  await expect.poll(address).toBe('/plans');
});

test('on a phone the languages stand on one line, which scrolls to the chosen one', async ({
  server,
}) => {
  await resize(360, 740);
  await openCreate(server);
  const tabs = page.getByRole('tab').elements();
  expect(tabs).toHaveLength(7);
  expect(new Set(tabs.map((one) => one.getBoundingClientRect().top)).size).toBe(1);
  await press('{End}', page.getByRole('tab').first());
  const last = page.getByRole('tab').last();
  await expect.element(last).toHaveAttribute('aria-selected', 'true');
  await expect.element(last).toBeInViewport({ ratio: 1 });
  const { scrollWidth, clientWidth } = document.documentElement;
  expect(scrollWidth).toBeLessThanOrEqual(clientWidth);
});

// Proves 2.105, 2.108, 3.21
test('a paid plan has one pair of prices per active currency', async ({ server }) => {
  // Out of order, so that the order on the page is the page's own.
  await openCreate(server, [JPY, withdrawn(CHF), EUR, USD]);
  const prices = page.getByRole('spinbutton', { name: /price/ });
  await expect.element(prices).not.toBeInTheDocument();
  await click(toggle('Paid plan'));
  await expect.poll(() => prices.elements().length).toBe(6);
  for (const period of ['Monthly', 'Yearly']) {
    for (const [code, step] of [
      ['USD', '0.01'],
      ['EUR', '0.01'],
      ['JPY', '1'],
    ] as const) {
      const price = field(`${period} price (${code})`);
      await expect.element(price).toHaveAttribute('min', '0');
      await expect.element(price).toHaveAttribute('step', step);
    }
  }
  // In display order, and by code where that is the same.
  const options = texts(field('Default currency').getByRole('option'));
  expect(options()).toEqual(['USD · US Dollar', 'EUR · Euro', 'JPY · Japanese Yen']);
  const monthly = field('Monthly price (USD)');
  await press('{ArrowUp}', monthly);
  await expect.element(monthly).toHaveValue('0.00');
  await fillRequired();
  await fill(monthly, '');
  await click(submit);
  await expect.element(monthly).toHaveAccessibleDescription(NEEDS_PRICE);
  await expect.element(monthly).toHaveFocus();

  await fill(monthly, '1');
  for (const [name, value, message, accepted] of [
    ['Monthly price (USD)', '1,000', UNREADABLE, '1'],
    ['Yearly price (USD)', '1,000.50', UNREADABLE, ''],
    ['Monthly price (JPY)', '1,500', UNREADABLE, ''],
    ['Monthly price (USD)', '1.000', 'A price in USD can have at most 2 decimal places', '1'],
    ['Yearly price (JPY)', '1.5', 'A price in JPY cannot have decimal places', ''],
  ] as const) {
    await fill(field(name), value);
    await click(submit);
    await expect.element(field(name)).toHaveAccessibleDescription(message);
    await expect.element(field(name)).toHaveFocus();
    await fill(field(name), accepted);
  }
  expect(server.callsTo(planCreate)).toEqual([]);

  // A comma that can only separate decimals does.
  await fill(monthly, '4,90');
  await click(submit);
  await expect.element(created).toBeVisible();
  expect(server.bodiesOf(planCreate)).toEqual([
    expect.objectContaining({ priceMonthly: { usd: 4.9 } }),
  ]);
});

// Proves 2.153, 2.154
test('without an active currency a notice leads to the settings', async ({ server }) => {
  await openCreate(server, [withdrawn(EUR)]);
  const notice = page.getByText(/^There are no active currencies\./);
  await expect
    .element(notice)
    .toHaveTextContent('There are no active currencies. Please add currencies in settings.');
  await expect.element(notice.getByRole('link')).toHaveAttribute('href', '/settings#currencies');
  const { color } = getComputedStyle(notice.element());
  const [red = 0, green = 0, blue = 0] = color.match(/\d+/g)?.map(Number) ?? [];
  // Yellow, dark enough to read: red and green together, next to no blue.
  expect(Math.min(red, green)).toBeGreaterThan(2 * blue);
  await fillRequired();
  await click(toggle('Paid plan'));
  await click(submit);
  await expect.element(alert).toHaveTextContent(NEEDS_PRICE);
});

test('a price keeps its field when its currency is deactivated while it is typed', async ({
  server,
}) => {
  clock.stop();
  const plan = samplePlan({ priceMonthly: { usd: 5, chf: 4 }, priceYearly: null });
  await openEdit(server, plan, [USD, CHF]);
  const price = field('Monthly price (CHF)');
  await clock.until(price);
  await fill(price, '4,2x');
  server.answer(currencyList, { currencies: [USD, withdrawn(CHF)] }).changed('currencies');
  // The console listens for changes once it has stood for a moment.
  await clock.run(2000);
  const group = page.getByRole('group', { name: 'CHF' });
  await clock.until(group.getByText('Inactive'));
  await expect.element(price).toHaveFocus();
  await expect.element(price).toHaveValue('4,2x');
  await click(submit);
  await expect.element(price).toHaveAccessibleDescription(/^A price must be a number/);
  await expect.element(price).toHaveFocus();
  await fill(price, '4.2');
  await click(submit);
  await clock.until(page.getByText(/^Plan updated successfully/));
  expect(server.bodiesOf(planUpdate)).toEqual([
    expect.objectContaining({ priceMonthly: { usd: 5, chf: 4.2 } }),
  ]);
});

test('a plan whose only currency is no longer active asks for another price', async ({
  server,
}) => {
  const plan = samplePlan({ priceMonthly: { chf: 4.2 }, priceYearly: null, isActive: false });
  await openEdit(server, plan, [USD, withdrawn(CHF)]);
  await fill(field('Name'), 'renamed');
  await click(submit);
  const monthly = field('Monthly price (USD)');
  await expect.element(monthly).toHaveAccessibleDescription(NEEDS_PRICE);
  await expect.element(monthly).toHaveFocus();
  expect(server.callsTo(planUpdate)).toEqual([]);
});
