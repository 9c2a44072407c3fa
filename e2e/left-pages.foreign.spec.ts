import {
  currencyActivate,
  currencyDeactivate,
  currencyList,
  planList,
  planPublish,
  planSetActive,
  planSetVisibility,
  userRestrict,
  userUpdate,
} from '@meridian/contract';
import type { Endpoint } from '@meridian/contract';
import type { Page } from '@playwright/test';
import { FORM_RESPONSES, SAMPLE_IDS } from './support/form-responses.ts';
import { TYPED_FORMS } from './support/forms.ts';
import { gate } from './support/gate.ts';
import { navigate } from './support/navigate.ts';
import { sampleCurrency, samplePlan } from './support/samples.ts';
import type { StandIn } from './support/stand-in.ts';
import { expect, test } from './support/test.ts';
import { visit } from './support/visit.ts';
import { answerEverything } from './support/whole-stand-in.ts';

/** A change behind a button that asks nothing. */
type Change = {
  endpoint: Endpoint;
  path: string;
  button: string;
  busy: string;
  /** Undefined where a dialog tells of a failure, on any page. */
  failed?: string;
  done: RegExp;
};

const CHANGES: readonly Change[] = [
  {
    endpoint: planPublish,
    path: '/plans',
    button: 'Publish',
    busy: 'Publishing...',
    failed: 'Failed to publish plans',
    done: /^Successfully published 1 plans/,
  },
  {
    endpoint: planSetActive,
    path: '/plans',
    button: 'Deactivate',
    busy: 'Deactivating...',
    failed: 'Failed to toggle plan status',
    done: / is now inactive$/,
  },
  {
    endpoint: planSetVisibility,
    path: '/plans',
    button: 'Hide',
    busy: 'Hiding...',
    failed: 'Failed to toggle plan visibility',
    done: / is now hidden$/,
  },
  {
    endpoint: userUpdate,
    path: '/users/u',
    button: 'Deactivate User',
    busy: 'Deactivating...',
    failed: 'Failed to update user',
    done: /^User deactivated$/,
  },
  {
    endpoint: userRestrict,
    path: '/users/u',
    button: 'Prohibit Upgrades',
    busy: 'Prohibiting...',
    failed: 'Failed to update upgrade restrictions',
    done: /^Upgrades prohibited$/,
  },
  {
    endpoint: currencyDeactivate,
    path: '/settings',
    button: 'Deactivate',
    busy: 'Deactivating...',
    done: / is now inactive$/,
  },
  {
    endpoint: currencyActivate,
    path: '/settings?currencies=inactive',
    button: 'Activate',
    busy: 'Activating...',
    done: / is now active$/,
  },
];

const messages = (page: Page) => page.getByRole('region', { name: 'Messages' });
const leave = (page: Page) => page.getByRole('link', { name: 'Posts', exact: true }).click();
/** The address changes before the page does. */
const isAt = (page: Page, title: string) =>
  expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible();

async function open(page: Page, standIn: StandIn, path: string): Promise<void> {
  answerEverything(standIn);
  standIn.on(planList, { body: { plans: [samplePlan()] } });
  const isActive = !path.includes('inactive');
  standIn.on(currencyList, { body: { currencies: [sampleCurrency({ isActive })] } });
  await visit(page, standIn, '/users');
  await navigate(page, path);
}

/** Its response is held back, and it has arrived there. */
async function press(page: Page, standIn: StandIn, change: Change, response: object) {
  const [held, arrived] = [gate(), gate()];
  standIn.on(change.endpoint, () => {
    arrived.open();
    return { ...response, until: held.opened };
  });
  await page.getByRole('button', { name: change.button, exact: true }).click();
  await arrived.opened;
  return held;
}

for (const change of CHANGES.filter(({ failed }) => failed !== undefined)) {
  test(`${change.failed}: told on the page that is open when its own was left`, async ({
    page,
    standIn,
  }) => {
    await open(page, standIn, change.path);
    const refusal = { status: 403, body: { message: 'Not for you.' } };
    const held = await press(page, standIn, change, refusal);
    await leave(page);
    await isAt(page, 'Scheduled Posts');
    held.open();
    await expect(messages(page)).toHaveText(`${change.failed}: Not for you.`);
    await messages(page).getByRole('button', { name: 'Dismiss message' }).click();
    await expect(messages(page)).toHaveText('');
  });
}

test('a failure that comes while the next page is on its way is told there too', async ({
  page,
  standIn,
}) => {
  const [change] = CHANGES;
  if (change === undefined) throw new Error('no change');
  await open(page, standIn, change.path);
  const code = gate();
  await page.route('**/assets/posts-list-*.js', async (route) => {
    await code.opened;
    await route.continue();
  });
  const refusal = { status: 403, body: { message: 'Not for you.' } };
  const held = await press(page, standIn, change, refusal);
  await leave(page);
  await expect(page.getByRole('main')).toHaveClass(/opacity-60/);
  held.open();
  await expect(page.getByRole('alert')).toContainText('Not for you.');
  code.open();
  await isAt(page, 'Scheduled Posts');
  await expect(messages(page)).toHaveText(`${change.failed}: Not for you.`);
});

for (const change of CHANGES) {
  test(`${change.endpoint.name} is still at work when one returns to its page, and is sent once`, async ({
    page,
    standIn,
  }) => {
    await open(page, standIn, change.path);
    const held = await press(page, standIn, change, {
      body: { publishedCount: 1, individualUrls: ['https://cdn.example.test/plans/1.json'] },
    });
    await leave(page);
    await isAt(page, 'Scheduled Posts');
    await page.goBack();
    const button = page.getByRole('button', { name: change.busy });
    await expect(button).toHaveAttribute('aria-disabled', 'true');
    await button.click({ force: true });
    held.open();
    await expect(messages(page).getByText(change.done)).toBeVisible();
    await expect(button).toHaveCount(0);
    expect(standIn.callsTo(change.endpoint)).toHaveLength(1);
  });
}

for (const form of TYPED_FORMS) {
  test(`${form.name}: leaving while it is saved asks another question, until the outcome is known`, async ({
    page,
    standIn,
  }) => {
    answerEverything(standIn);
    await visit(page, standIn, '/users');
    await navigate(page, form.path(SAMPLE_IDS));
    await form.fill(page);
    const question = page.getByRole('alertdialog', { name: 'Leave before the changes are saved?' });
    const submit = async (response: object) => {
      const [held, arrived] = [gate(), gate()];
      standIn.on(form.endpoint, () => {
        arrived.open();
        return { ...response, until: held.opened };
      });
      await form.submit(page).click();
      await arrived.opened;
      await page.goBack();
      await expect(question).toBeVisible();
      return held;
    };

    const refusal = { status: 422, body: { message: 'Not like this.' } };
    (await submit(refusal)).open();
    await expect(page.getByRole('alert')).toHaveText('Not like this.');
    await expect(page.getByRole('alertdialog')).toHaveCount(0);
    await expect(page).toHaveURL(standIn.url + form.path(SAMPLE_IDS));

    const held = await submit(refusal);
    await question.getByRole('button', { name: 'Confirm' }).click();
    await isAt(page, 'Users');
    held.open();
    await expect(messages(page)).toHaveText(/^[A-Z][a-z ]+: Not like this\.$/);

    await navigate(page, form.path(SAMPLE_IDS));
    await form.fill(page);
    (await submit({ body: FORM_RESPONSES.get(form.endpoint.name) })).open();
    await expect(form.done(page)).toBeVisible();
    await expect(page.getByRole('alertdialog')).toHaveCount(0);
  });
}
