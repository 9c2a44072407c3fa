import { ticketIssue } from '@meridian/contract';
import { field } from './support/plan-form.ts';
import { sampleTicket } from './support/samples.ts';
import { expect, test } from './support/test.ts';
import { openTicketIssue, overrides, sentTickets, submitTicket } from './support/ticket-issue.ts';

test('asks for a plan first, and leads there', async ({ page, standIn }) => {
  await openTicketIssue(page, standIn);
  await submitTicket(page).click();
  await expect(field(page, 'Plan')).toHaveAccessibleDescription('Plan is required');
  await expect(field(page, 'Plan')).toBeFocused();
  expect(sentTickets(standIn)).toEqual([]);
});

for (const [name, values, message] of [
  [
    'Valid days',
    ['', '0', '3651', '1.5', '1,000', '1.000', 'ten'],
    'Valid days must be a whole number from 1 to 3650',
  ],
  [
    'Max redemptions',
    ['', '0', '10001', '-1'],
    'Max redemptions must be a whole number from 1 to 10000',
  ],
  [
    'Monthly posts',
    ['-2', '10001', '1,000'],
    'Monthly posts must be a whole number from -1 to 10000',
  ],
  ['Concurrent posts', ['-2', '1001'], 'Concurrent posts must be a whole number from -1 to 1000'],
  ['Max post length', ['0', '301'], 'Max post length must be a whole number from 1 to 300'],
  ['Max schedule days', ['-2', '366'], 'Max schedule days must be a whole number from -1 to 365'],
  ['Thread posts limit', ['0', '26'], 'Thread posts limit must be a whole number from 1 to 25'],
] as const) {
  test(`${name} refuses ${values.map((value) => JSON.stringify(value)).join(', ')}`, async ({
    page,
    standIn,
  }) => {
    await openTicketIssue(page, standIn);
    await field(page, 'Plan').selectOption({ index: 1 });
    await overrides(page).check();
    for (const value of values) {
      await field(page, name).fill(value);
      await submitTicket(page).click();
      await expect(field(page, name)).toHaveAccessibleDescription(new RegExp(message));
      await expect(field(page, name)).toBeFocused();
    }
    expect(sentTickets(standIn)).toEqual([]);
  });
}

test.describe('the deadline', () => {
  test('must be in the future', async ({ page, standIn }) => {
    await openTicketIssue(page, standIn);
    await field(page, 'Plan').selectOption({ index: 1 });
    await field(page, 'Redemption deadline').fill('2020-01-01T12:00');
    await submitTicket(page).click();
    await expect(field(page, 'Redemption deadline')).toHaveAccessibleDescription(
      /Redemption deadline must be in the future/,
    );
    expect(sentTickets(standIn)).toEqual([]);
  });

  test('half typed is not taken for none', async ({ page, standIn }) => {
    await openTicketIssue(page, standIn);
    standIn.on(ticketIssue, { status: 201, body: { ticket: sampleTicket() } });
    await field(page, 'Plan').selectOption({ index: 1 });
    await field(page, 'Redemption deadline').focus();
    await page.keyboard.type('12312098');
    await submitTicket(page).click();
    await expect(field(page, 'Redemption deadline')).toHaveAccessibleDescription(
      /Redemption deadline needs both a date and a time/,
    );
    expect(sentTickets(standIn)).toEqual([]);
    await field(page, 'Redemption deadline').fill('2098-12-31T12:00');
    await submitTicket(page).click();
    await expect.poll(() => sentTickets(standIn)).toHaveLength(1);
  });
});

test('too long a memo is refused in words', async ({ page, standIn }) => {
  await openTicketIssue(page, standIn);
  await field(page, 'Plan').selectOption({ index: 1 });
  await field(page, 'Memo').fill('x'.repeat(1001));
  await submitTicket(page).click();
  await expect(field(page, 'Memo')).toHaveAccessibleDescription(
    /Memo must be at most 1000 charact/,
  );
});

test('a refusal is said once, at its field or at the foot, and nothing typed is lost', async ({
  page,
  standIn,
}) => {
  await openTicketIssue(page, standIn);
  await field(page, 'Plan').selectOption({ index: 1 });
  await field(page, 'Memo').fill('For Harbour Lights');
  standIn.on(ticketIssue, { cut: true });
  await submitTicket(page).click();
  await expect(page.getByRole('alert')).toContainText('Failed to issue ticket');

  const message = 'Choose an active plan that is not free';
  standIn.on(ticketIssue, {
    status: 400,
    body: { message, code: 'invalid_input', issues: [{ path: 'planId', message }] },
  });
  await submitTicket(page).click();
  await expect(field(page, 'Plan')).toHaveAccessibleDescription(message);
  await expect(field(page, 'Plan')).toBeFocused();
  await expect(page.getByRole('alert')).toHaveCount(0);
  await expect(field(page, 'Memo')).toHaveValue('For Harbour Lights');
});
