import {
  accessKeywordList,
  currencyGet,
  currencyList,
  currencyUpdate,
  planGet,
  planList,
  planUpdate,
} from '@meridian/contract';
import { expect } from 'vitest';
import { page } from 'vitest/browser';
import { address, button, click, field, fill, texts } from './hands.ts';
import { open, test } from './render.tsx';
import { sampleCurrency, samplePlan, type Server } from './server.ts';

const panel = page.getByRole('region', { name: 'Conflicting versions' });
const rows = (title: string) => texts(panel.getByRole('table', { name: title }).getByRole('row'));
const keepMine = button('Keep mine');
const loadTheirs = button('Load theirs');
const submit = button(/^Update (Plan|Currency)/);

/** A plan that others change while its form is open. */
async function openPlan(server: Server) {
  const usd = sampleCurrency();
  const start = samplePlan({
    description: { en: 'Made for a test' },
    limits: { storage_mb: 100 },
    priceMonthly: null,
    priceYearly: null,
    displayOrder: 0,
  });
  const plan = server.keep(planGet, planUpdate, 'plan', start, 'changed_elsewhere');
  server.answer(currencyList, { currencies: [usd] });
  server.answer(planList, () => ({ plans: [plan.row()] }));
  open(server, `/plans/${start.id}/edit`);
  await expect.element(field('Storage (MB)')).toHaveValue('100');
  return plan;
}

test('two who edit the same plan both see what the other did', async ({ server }) => {
  const plan = await openPlan(server);
  await fill(field('Storage (MB)'), '512');
  plan.change({ description: { en: 'Theirs' }, displayOrder: 61 });
  await click(submit);
  await expect
    .element(page.getByRole('alert'))
    .toHaveTextContent(
      'Someone else changed this plan while you were editing it. Keep mine saves your changes on top of their version. Load theirs discards your changes.',
    );
  await expect.element(panel).toHaveFocus();
  await expect.element(keepMine).toBeInViewport();
  await expect.element(loadTheirs).toBeInViewport();
  expect(rows('They changed')()).toEqual([
    'FieldBeforeTheirs',
    'Description (English)Made for a testTheirs',
    'Display order061',
  ]);
  expect(rows('You changed')()).toEqual(['FieldTheirsYours', 'Storage100512']);
  await expect.element(field('Storage (MB)')).toHaveValue('512');

  // Instead: their version, and what was typed is gone by choice.
  await click(loadTheirs);
  await expect.element(field('Description')).toHaveValue('Theirs');
  await expect.element(field('Storage (MB)')).toHaveValue('100');
  await expect.element(panel).not.toBeInTheDocument();

  // Or mine, on top of a second change of theirs: what I did not touch stays as they have it.
  await fill(field('Storage (MB)'), '1024');
  plan.change({ description: { en: 'Theirs again' } });
  await click(submit);
  await click(keepMine);
  await expect
    .element(page.getByText(`Plan updated successfully: ${plan.row().name}`))
    .toBeVisible();
  await expect.poll(address).toBe('/plans');
  expect(plan.row()).toMatchObject({
    description: { en: 'Theirs again' },
    displayOrder: 61,
    limits: { storage_mb: 1024 },
  });
});

test('what the second of two typed stays, and is not saved, until they decide', async ({
  server,
}) => {
  const plan = await openPlan(server);
  await fill(field('Storage (MB)'), '200');
  plan.change({ displayOrder: 1 });
  await click(submit);
  await expect
    .element(page.getByRole('alert'))
    .toMatchTextContent(/^Someone else changed this plan/);
  expect(plan.row()).toMatchObject({ displayOrder: 1, limits: { storage_mb: 100 } });
  await expect.element(field('Storage (MB)')).toHaveValue('200');
});

test('a third change between the choice and the sending is shown again', async ({ server }) => {
  const plan = await openPlan(server);
  await fill(field('Storage (MB)'), '512');
  plan.change({ displayOrder: 5 });
  await click(submit);
  await expect.element(keepMine).toBeVisible();
  plan.change({ displayOrder: 6 });
  await click(keepMine);
  await expect.poll(rows('They changed')).toEqual(['FieldBeforeTheirs', 'Display order56']);
  expect(rows('You changed')()).toEqual(['FieldTheirsYours', 'Storage100512']);
  await expect.element(panel).toHaveFocus();
});

test('a currency that was deactivated meanwhile is not activated by renaming it', async ({
  server,
}) => {
  const start = sampleCurrency({ code: 'xts', name: 'Test money', symbol: 'T', displayOrder: 999 });
  const outdated = 'currency_changed_elsewhere';
  const currency = server.keep(currencyGet, currencyUpdate, 'currency', start, outdated);
  server.answer(currencyList, () => ({ currencies: [currency.row()] }));
  server.answer(accessKeywordList, { accessKeywords: [] });
  open(server, `/settings/currencies/${start.id}/edit`);
  await fill(field('Name'), 'Renamed');
  currency.change({ isActive: false });
  currency.change({ displayOrder: 5 });

  await click(submit);
  await expect.element(panel).toHaveFocus();
  await expect
    .element(panel.getByRole('alert'))
    .toMatchTextContent(/^Someone else changed this currency while you were editing it\./);
  expect(rows('They changed')()).toEqual(['FieldBeforeTheirs', 'Display order9995', 'ActiveYesNo']);
  expect(rows('You changed')()).toEqual(['FieldTheirsYours', 'NameTest moneyRenamed']);
  await click(keepMine);
  await expect.element(page.getByText('Currency updated successfully: XTS')).toBeVisible();
  expect(currency.row()).toMatchObject({ name: 'Renamed', displayOrder: 5, isActive: false });
});
