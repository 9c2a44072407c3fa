import {
  accessKeywordList,
  authMe,
  currencyGet,
  currencyList,
  currencyUpdate,
  settingsGet,
} from '@meridian/contract';
import { expect } from 'vitest';
import { page } from 'vitest/browser';
import {
  address,
  button,
  click,
  clock,
  drawn,
  field,
  fill,
  link,
  press,
  watchShifts,
} from './hands.ts';
import { open, resize, test } from './render.tsx';
import { ME_AT_MERIDIAN, OPEN, sampleCurrency, Server } from './server.ts';

const CURRENCY = sampleCurrency();
const EDIT = `/settings/currencies/${CURRENCY.id}/edit`;

function answerSettings(server: Server): void {
  server.answer(currencyList, { currencies: [CURRENCY] });
  server.answer(currencyGet, { currency: CURRENCY }).answer(currencyUpdate, { currency: CURRENCY });
  server.answer(accessKeywordList, { accessKeywords: [] });
}

/** Leaves behind whatever a test can leave behind; the second time it must find nothing of the first. */
test.for(['the first', 'the second'])(
  '%s of two tests starts from nothing',
  async (_, { server }) => {
    expect([localStorage.length, sessionStorage.length, innerWidth]).toEqual([0, 0, 1440]);
    expect(document.body.querySelector('#root')).toBeNull();
    expect(document.documentElement.dataset['theme']).toBeUndefined();
    answerSettings(server);
    open(server, EDIT);
    await expect.element(field('Name')).toHaveValue(CURRENCY.name);
    await expect
      .element(page.getByText('Your unsaved changes were restored'))
      .not.toBeInTheDocument();
    await drawn();
    expect(document.activeElement).toBe(document.body);
    await expect.element(page.getByText(/^Currency updated/)).not.toBeInTheDocument();
    expect(document.querySelector('dialog[open]')).toBeNull();
    // Read from this test's server, not remembered from the other's.
    expect(server.callsTo(currencyGet)).not.toEqual([]);

    await click(button(/^Update Currency/));
    await expect.element(page.getByText(/^Currency updated successfully/)).toBeVisible();
    await expect.poll(address).toBe('/settings');
    await click(page.getByRole('button', { name: /Ana Okafor/ }));
    await click(page.getByRole('menuitemradio', { name: 'Dark' }));
    await expect.poll(() => document.documentElement.dataset['theme']).toBe('dark');
    open(server, EDIT);
    await fill(field('Name'), 'typed and left');
    await click(link('Cancel'));
    await click(page.getByRole('alertdialog').getByRole('button', { name: 'Cancel' }));
    await resize(800, 600);
    clock.stop();
    server.hold(currencyUpdate);
    await click(button(/^Update Currency/));
    await expect.element(page.getByText('Updating...')).toBeVisible();
    await press('{Control>}k{/Control}');
    await expect.poll(() => document.querySelector('dialog[open]')).not.toBeNull();
  },
);

test('the server holds both sides to the contract', async () => {
  const server = new Server();
  const headers = { Authorization: `Bearer ${server.token}` };
  const send = (path: string, init: RequestInit = {}) =>
    server.fetch(`/api/admin/${path}`, { headers, ...init });

  expect(await (await send('auth/me')).json()).toMatchObject({ displayName: 'Ana Okafor' });
  expect(server.complaints).toEqual([]);

  const complaint = async (path: string, init?: RequestInit) => {
    await send(path, init);
    return server.complaints.splice(0).join('\n');
  };
  expect(await complaint('nowhere')).toMatch(/is no call of the contract/);
  expect(await complaint('plans')).toMatch(/the test has no answer for it/);
  expect(await complaint('auth/me', { headers: {} })).toMatch(/without a token/);
  answerSettings(server);
  expect(await complaint('currencies?includeInactive=perhaps')).toMatch(/the query does not fit/);
  const body = JSON.stringify({ colour: 'red' });
  const patch = { method: 'PATCH', body };
  expect(await complaint('currencies/1', patch)).toMatch(/the body does not fit/);
  server.answer(authMe, { ...ME_AT_MERIDIAN, username: 7 as unknown as string });
  expect(await complaint('auth/me')).toMatch(/the answer of the test does not fit/);
});

test('the server fails as it is told to', async () => {
  const server = new Server();
  const send = (signal?: AbortSignal) =>
    server.fetch('/api/admin/settings', {
      headers: { Authorization: `Bearer ${server.token}` },
      ...(signal && { signal }),
    });
  server.refuse(settingsGet, 'conflict');
  const refused = await send();
  expect(refused.status).toBe(409);
  expect(await refused.json()).toMatchObject({ code: 'conflict', requestId: 'request-1' });

  server.cut(settingsGet);
  await expect(send()).rejects.toThrow(TypeError);

  server.answer(settingsGet, OPEN);
  const held = server.hold(settingsGet);
  const leaving = new AbortController();
  const left = send(leaving.signal);
  leaving.abort();
  await expect(left).rejects.toThrow('aborted');
  const waiting = send();
  server.answer(settingsGet, { ...OPEN, version: 2 });
  held.release();
  expect(await (await waiting).json()).toMatchObject({ version: 2 });
});

test('what moves by itself is seen', async () => {
  const page = document.body.appendChild(document.createElement('div'));
  page.innerHTML = '<p>above</p><p>below</p>';
  await drawn();
  const shifts = watchShifts();
  page.firstElementChild?.setAttribute('style', 'height: 200px');
  await expect.poll(shifts).toEqual(['below']);
  page.remove();
});
