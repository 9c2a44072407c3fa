import {
  accessKeywordList,
  currencyCreate,
  currencyGet,
  currencyList,
  currencyUpdate,
  type Currency,
} from '@meridian/contract';
import { expect } from 'vitest';
import { page } from 'vitest/browser';
import {
  address,
  button,
  choose,
  click,
  clock,
  drawn,
  field,
  fill,
  goBack,
  link,
  press,
  texts,
  toggle,
  watchShifts,
} from './hands.ts';
import { open, resize, test } from './render.tsx';
import { sampleCurrency, type Server } from './server.ts';

const YEN = sampleCurrency({
  code: 'jpy',
  name: 'Japanese Yen',
  symbol: '¥',
  useDecimals: false,
  displayOrder: 20,
});

const submit = button(/^(Create|Update) Currency/);
const dialog = page.getByRole('alertdialog');
const alert = page.getByRole('alert');

/** The page that the forms return to. */
function answerSettings(server: Server): void {
  server.answer(currencyList, { currencies: [YEN] });
  server.answer(accessKeywordList, { accessKeywords: [] });
}

async function openCreate(server: Server): Promise<void> {
  answerSettings(server);
  open(server, '/settings/currencies/create');
  await expect.element(field('Code')).toBeVisible();
}

/** The form of the yen, which others may change too. */
function openEdit(server: Server) {
  answerSettings(server);
  const outdated = 'currency_changed_elsewhere';
  const yen = server.keep(currencyGet, currencyUpdate, 'currency', YEN, outdated);
  open(server, `/settings/currencies/${YEN.id}/edit`);
  return yen;
}

async function fillEuro(): Promise<void> {
  await fill(field('Code'), 'EUR');
  await fill(field('Name'), 'Euro');
  await fill(field('Symbol'), '€');
}

// Proves 2.145, 2.146, 2.147, 9.8
test('a new currency starts with the defaults of the specification', async ({ server }) => {
  await openCreate(server);
  await expect
    .element(page.getByRole('heading', { level: 1, name: 'Add New Currency' }))
    .toBeVisible();
  await expect.poll(() => document.title).toBe('Add New Currency · Meridian');
  for (const name of ['Code', 'Name', 'Symbol']) {
    await expect.element(field(name)).toHaveValue('');
  }
  await expect.element(toggle('Use decimals')).toBeChecked();
  await expect.element(field('Decimal places')).toHaveDisplayValue('2');
  const places = field('Decimal places').getByRole('option');
  await expect.poll(texts(places)).toEqual(['0', '1', '2', '3', '4']);
  await expect.element(field('Display order')).toHaveValue('999');
  await expect.element(field('Display order')).toHaveAttribute('min', '0');
  await expect.element(toggle('Active')).toBeChecked();
  // The decimals toggle reveals the places.
  await click(toggle('Use decimals'));
  await expect.element(field('Decimal places')).not.toBeInTheDocument();
  await click(toggle('Use decimals'));
  await expect.element(field('Decimal places')).toBeVisible();

  // The code is lower-cased as it is typed and stops at three.
  const code = field('Code');
  await press('EuRo', code);
  await expect.element(code).toHaveValue('eur');
  // A capital typed in the middle leaves the caret where it was.
  await fill(code, 'xyz');
  await press('{Home}{ArrowRight}{Delete}Q', code);
  await expect.element(code).toHaveValue('xqz');
  expect((code.element() as HTMLInputElement).selectionStart).toBe(2); // an input, as it has a value
});

test('on a phone a field to correct is not under the bar at the top', async ({ server }) => {
  await resize(360, 740);
  await openCreate(server);
  const bar = page.getByRole('banner').element().getBoundingClientRect();
  // The place of the button decides how much of the field is in sight already.
  for (const height of [600, 660, 700, 740, 780]) {
    await resize(360, height);
    await click(submit);
    await expect.element(field('Code')).toHaveFocus();
    const label = page.getByText(/^Code/).first().element();
    expect(label.getBoundingClientRect().y, `at ${height}`).toBeGreaterThanOrEqual(bar.height);
  }
});

// Proves 5.1, 5.2
test('asks for what is missing or wrong, word for word', async ({ server }) => {
  await openCreate(server);
  const required = 'Code, name, and symbol are required';
  const [code, name, symbol] = [field('Code'), field('Name'), field('Symbol')];
  await click(submit);
  await expect.element(code).toHaveAccessibleDescription(new RegExp(required));
  await expect.element(code).toHaveFocus();
  expect(page.getByText(required).elements()).toHaveLength(1);
  await expect.element(name).toHaveAccessibleDescription('Name is required');
  await expect.element(symbol).toHaveAccessibleDescription('Symbol is required');
  for (const [value, message] of [
    ['eu', /Currency code must be exactly 3 characters \(ISO 4217\)/],
    ['e1r', /Currency code must be three letters \(ISO 4217\)/],
  ] as const) {
    await fill(code, value);
    await expect.element(code).toHaveAccessibleDescription(message);
  }
  await fill(code, 'eur');
  await expect.element(name).toHaveAccessibleDescription(required);
  await fill(name, 'Euro');
  await expect.element(symbol).toHaveAccessibleDescription(required);
  await fill(symbol, '€');
  for (const order of ['-1', '1,000']) {
    await fill(field('Display order'), order);
    await click(submit);
    await expect
      .element(field('Display order'))
      .toHaveAccessibleDescription(/Display order must be a whole number of at least 0/);
  }
  expect(server.callsTo(currencyCreate)).toEqual([]);
});

test('a code that is taken is refused at its field, and nothing typed is lost', async ({
  server,
}) => {
  server.refuse(currencyCreate, 'currency_code_taken');
  await openCreate(server);
  await fillEuro();
  await press('{Enter}', field('Symbol'));
  await expect
    .element(field('Code'))
    .toHaveAccessibleDescription(/A currency with this code already exists/);
  await expect.element(field('Code')).toHaveFocus();
  await expect.element(field('Name')).toHaveValue('Euro');
});

// Proves 2.150, 8.46
test('sends once, says so with the code in capitals, and returns after two seconds', async ({
  server,
}) => {
  // The code of the page it returns to is then there, so that leaving too early is seen.
  answerSettings(server);
  open(server, '/settings');
  await expect.element(page.getByRole('region', { name: 'Currencies' })).toBeVisible();
  server.answer(currencyCreate, ({ body }) => ({
    currency: sampleCurrency(body as Partial<Currency>), // checked by the schema of the call
  }));
  await openCreate(server);
  await fillEuro();
  await choose(field('Decimal places'), '3');
  await fill(field('Display order'), '5');
  await click(toggle('Active'));
  const held = server.hold(currencyCreate);
  clock.stop();
  await click(submit, 2);
  await expect.element(page.getByText('Creating...')).toBeVisible();
  held.release();
  const toast = page.getByText('Currency created successfully: EUR');
  await clock.until(toast);
  await clock.run(1900);
  await drawn();
  expect(address()).toBe('/settings/currencies/create');
  await clock.run(200);
  await expect.poll(address).toBe('/settings');
  await expect.element(toast).toBeVisible();
  expect(server.bodiesOf(currencyCreate)).toEqual([
    {
      code: 'eur',
      name: 'Euro',
      symbol: '€',
      useDecimals: true,
      decimalPlaces: 3,
      displayOrder: 5,
      isActive: false,
    },
  ]);
});

// Proves 8.9
test('a currency that is not created says so at the foot, and nothing typed is lost', async ({
  server,
}) => {
  server.cut(currencyCreate);
  await openCreate(server);
  await fillEuro();
  await click(submit);
  await expect.element(alert).toMatchTextContent(/^Failed to create currency/);
  server.refuse(currencyCreate, 'conflict');
  await press('{Enter}', field('Symbol'));
  await expect.element(alert).toMatchTextContent(/^Something else changed at the same moment/);
  await expect.element(field('Code')).toHaveValue('eur');
});

// Proves 2.152
test('Cancel goes to the currencies, after asking when something was typed', async ({ server }) => {
  await openCreate(server);
  const cancel = link('Cancel');
  await expect.element(cancel).toHaveAttribute('href', '/currencies');
  await fill(field('Name'), 'Euro');
  await click(cancel);
  await click(dialog.getByRole('button', { name: 'Cancel' }));
  await expect.element(dialog).not.toBeInTheDocument();
  await expect.element(field('Name')).toHaveValue('Euro');
  await click(cancel);
  await click(dialog.getByRole('button', { name: 'Confirm' }));
  await expect.poll(address).toBe('/settings#currencies');
});

test('Back pressed twice asks once, and the answer holds', async ({ server }) => {
  answerSettings(server);
  server.answer(currencyGet, { currency: YEN });
  open(server, '/settings');
  await click(link('Edit'));
  for (const [name, path] of [
    ['Cancel', `/settings/currencies/${YEN.id}/edit`],
    ['Confirm', '/settings'],
  ] as const) {
    await fill(field('Name'), 'typed');
    for (let presses = 0; presses < 2; presses += 1) {
      await goBack();
      await expect.element(dialog).toBeVisible();
      // The question is asked at the address of the form, which the router has gone back to.
      await expect.poll(address).toBe(`/settings/currencies/${YEN.id}/edit`);
    }
    await click(dialog.getByRole('button', { name }));
    await expect.element(dialog).not.toBeInTheDocument();
    await expect.poll(address).toBe(path);
  }
});

// Proves 2.148, 2.149, 4.34, 5.4, 8.47
test('a currency is edited without its code; the console says so and returns at once', async ({
  server,
}) => {
  const loading = server.hold(currencyGet);
  const shifts = watchShifts();
  const yen = openEdit(server);
  await expect.element(page.getByText('Loading...')).toBeVisible();
  loading.release();
  await expect.element(field('Name')).toHaveValue('Japanese Yen');
  expect(await shifts()).toEqual([]);
  await expect
    .element(page.getByRole('heading', { level: 1, name: 'Edit Currency' }))
    .toBeVisible();
  await expect.poll(() => document.title).toBe('Edit Currency · Meridian');
  await expect.element(field('Code')).toHaveValue('jpy');
  await expect.element(field('Code')).toHaveAttribute('readonly');
  await expect.element(field('Symbol')).toHaveValue('¥');
  await expect.element(toggle('Use decimals')).not.toBeChecked();
  await expect.element(field('Decimal places')).not.toBeInTheDocument();
  await expect.element(field('Display order')).toHaveValue('20');
  await expect.element(toggle('Active')).toBeChecked();
  await expect.element(link('Cancel')).toHaveAttribute('href', '/currencies');

  const required = 'Name and symbol are required';
  await fill(field('Symbol'), ' ');
  await click(submit);
  await expect.element(field('Symbol')).toHaveAccessibleDescription(required);
  await fill(field('Symbol'), '¥');
  await fill(field('Name'), '');
  await expect.element(field('Name')).toHaveAccessibleDescription(required);
  expect(server.callsTo(currencyUpdate)).toEqual([]);

  await fill(field('Name'), 'Yen');
  const held = server.hold(currencyUpdate);
  await click(submit, 2);
  await expect.element(page.getByText('Updating...')).toBeVisible();
  held.release();
  await expect.poll(address).toBe('/settings');
  await expect.element(page.getByText('Currency updated successfully: JPY')).toBeVisible();
  const sent = {
    name: 'Yen',
    symbol: '¥',
    useDecimals: false,
    decimalPlaces: 2,
    displayOrder: 20,
    isActive: true,
  };
  const calls = server.callsTo(currencyUpdate);
  expect(calls.map(({ method, url, body }) => [method, url, body])).toEqual([
    ['PATCH', `/api/admin/currencies/${YEN.id}`, sent],
  ]);
  expect(yen.row()).toMatchObject({ ...sent, code: 'jpy' });
});

// Proves 8.10, 8.11
test('a currency that is not updated says so, and one that does not load can be retried', async ({
  server,
}) => {
  openEdit(server);
  await expect.element(field('Name')).toHaveValue(YEN.name);
  server.cut(currencyUpdate);
  await click(submit);
  await expect.element(alert).toMatchTextContent(/^Failed to update currency/);
  expect(address()).toBe(`/settings/currencies/${YEN.id}/edit`);

  openEdit(server);
  server.cut(currencyGet);
  await expect.element(alert).toMatchTextContent(/Failed to load currency/);
  server.answer(currencyGet, { currency: YEN });
  await click(button('Retry'));
  await expect.element(field('Name')).toHaveValue(YEN.name);
});

test('a response in the background never touches what was typed', async ({ server }) => {
  clock.stop();
  const yen = openEdit(server);
  await clock.until(field('Name'));
  await fill(field('Name'), 'typed');
  yen.change({ name: 'changed elsewhere' });
  const read = server.next(currencyGet);
  // Old enough to be asked for again when the window is looked at, if not before.
  await clock.run(60_000);
  document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));
  await read;
  await clock.run(100);
  await drawn();
  await expect.element(field('Name')).toHaveValue('typed');
});

// Proves 2.151
test('an unknown currency has a way back', async ({ server }) => {
  answerSettings(server);
  server.refuse(currencyGet, 'currency_not_found');
  open(server, '/settings/currencies/nowhere/edit');
  await expect.element(page.getByText('Currency not found')).toBeVisible();
  await click(link('Back to Currencies'));
  await expect.poll(address).toBe('/settings#currencies');
});
