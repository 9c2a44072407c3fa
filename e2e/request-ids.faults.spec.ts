import {
  authLogin,
  currencyCreate,
  planList,
  planPublish,
  postDelete,
  postGet,
  postList,
} from '@meridian/contract';
import { fillEuro, openCurrencyCreate, submitCurrency } from './support/currency-form.ts';
import { openPost } from './support/post-page.ts';
import { samplePlan, samplePost } from './support/samples.ts';
import { expect, test } from './support/test.ts';
import { visit } from './support/visit.ts';

/** What an operator looks for in the log, on every surface that a failure has. */
const ID = '019d4b7e-5c1a-7c3e-9f10-0a1b2c3d4e5f';
const FAULT = { status: 503, body: { message: 'Service temporarily unavailable', requestId: ID } };

test('a question that could not be carried out names its request', async ({ page, standIn }) => {
  standIn.on(postDelete, FAULT);
  await openPost(page, standIn, samplePost());
  await page.getByRole('button', { name: 'Delete Post' }).click();
  const dialog = page.getByRole('alertdialog');
  await dialog.getByRole('button', { name: 'Confirm' }).click();
  await expect(dialog.getByRole('alert')).toContainText(
    `Failed to delete post: Service temporarily unavailableRequest ${ID}`,
  );
});

test('a form that could not be saved names its request', async ({ page, standIn }) => {
  standIn.on(currencyCreate, FAULT);
  await openCurrencyCreate(page, standIn);
  await fillEuro(page);
  await submitCurrency(page).click();
  await expect(page.getByRole('alert')).toContainText(
    `Service temporarily unavailableRequest ${ID}`,
  );
});

test('a button that failed names its request', async ({ page, standIn }) => {
  standIn.on(planList, { body: { plans: [samplePlan()] } }).on(planPublish, FAULT);
  await visit(page, standIn, '/plans');
  await page.getByRole('button', { name: 'Publish' }).click();
  await expect(page.getByRole('alert')).toContainText(
    `Service temporarily unavailableRequest ${ID}`,
  );
});

test('a list that did not come names its request', async ({ page, standIn }) => {
  standIn.on(postList, FAULT);
  await visit(page, standIn, '/posts');
  await expect(page.getByRole('alert')).toContainText(`Request ${ID}`);
});

test('a login that failed names its request, and a refused one does not', async ({
  page,
  standIn,
}) => {
  const signIn = async () => {
    await page.getByRole('textbox', { name: 'Username' }).fill('admin');
    await page.getByRole('textbox', { name: 'Password' }).fill('a password');
    await page.getByRole('button', { name: 'Log in' }).click();
  };
  standIn.on(authLogin, FAULT);
  await page.goto(`${standIn.url}/login`);
  await signIn();
  await expect(page.getByRole('alert')).toContainText(`Request ${ID}`);
  const message = 'Invalid username or password';
  standIn.on(authLogin, { status: 401, body: { message, requestId: ID } });
  await signIn();
  await expect(page.getByRole('alert')).toHaveText(message);
});

test('a missing post names no request: nothing failed', async ({ page, standIn }) => {
  const message = 'Post not found';
  standIn.on(postGet, { status: 404, body: { message, requestId: ID } });
  await visit(page, standIn, '/posts/019d4b7e-0000-7000-8000-000000000000');
  await expect(page.getByRole('main')).toContainText(message);
  await expect(page.getByText(ID)).toHaveCount(0);
});
