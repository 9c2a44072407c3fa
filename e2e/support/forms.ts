import {
  authLogin,
  authPassword,
  currencyCreate,
  currencyUpdate,
  planCreate,
  planUpdate,
  ticketIssue,
  userUpdate,
} from '@meridian/contract';
import type { Endpoint } from '@meridian/contract';
import type { Locator, Page } from '@playwright/test';
import { currencyText, submitCurrency } from './currency-form.ts';
import { fillLogin, loginButton } from './login-page.ts';
import { fillPasswords, submitPassword } from './password-page.ts';
import { field, fillRequiredOfPlan, submitPlan } from './plan-form.ts';
import type { SampleIds } from './screens.ts';
import { expect } from './test.ts';
import { submitTicket } from './ticket-issue.ts';

/** A form of the console, and how to fill it in with accepted values. */
export type Form = {
  name: string;
  /** The one call that it makes. */
  endpoint: Endpoint;
  path: (ids: SampleIds) => string;
  /** Leaves the focus where Enter sends it. */
  fill: (page: Page) => Promise<void>;
  submit: (page: Page) => Locator;
  /** There once the answer has come. */
  done: (page: Page) => Locator;
  /** Used before signing in. */
  isPublic?: boolean;
};

const message = (text: RegExp) => (page: Page) => page.getByText(text);

const LOGIN_FORM: Form = {
  name: 'Log in',
  endpoint: authLogin,
  path: () => '/login',
  isPublic: true,
  fill: (page) => fillLogin(page, 'ana', 'a long secret'),
  submit: loginButton,
  done: (page) => page.getByRole('navigation', { name: 'Main' }),
};

/** Where something is typed that would be lost. */
export const TYPED_FORMS: readonly Form[] = [
  {
    name: 'Create Plan',
    endpoint: planCreate,
    path: () => '/plans/create',
    async fill(page) {
      await fillRequiredOfPlan(page);
      await field(page, 'Name').focus();
    },
    submit: submitPlan,
    done: message(/^Plan created successfully/),
  },
  {
    name: 'Update Plan',
    endpoint: planUpdate,
    path: ({ planId }) => `/plans/${planId}/edit`,
    fill: (page) => field(page, 'Display order').fill('61'),
    submit: submitPlan,
    done: message(/^Plan updated successfully/),
  },
  {
    name: 'Issue Ticket',
    endpoint: ticketIssue,
    path: () => '/tickets/issue',
    async fill(page) {
      await expect(field(page, 'Plan')).toBeEnabled();
      await field(page, 'Plan').selectOption({ index: 1 });
      await field(page, 'Valid days').fill('31');
    },
    submit: submitTicket,
    done: message(/^Ticket issued successfully/),
  },
  {
    name: 'Create Currency',
    endpoint: currencyCreate,
    path: () => '/settings/currencies/create',
    async fill(page) {
      await currencyText(page, 'Code').fill('XTS');
      await currencyText(page, 'Name').fill('Test money');
      await currencyText(page, 'Symbol').fill('T');
    },
    submit: submitCurrency,
    done: message(/^Currency created successfully/),
  },
  {
    name: 'Update Currency',
    endpoint: currencyUpdate,
    path: ({ currencyId }) => `/settings/currencies/${currencyId}/edit`,
    fill: (page) => currencyText(page, 'Name').fill('Renamed'),
    submit: submitCurrency,
    done: message(/^Currency updated successfully/),
  },
  {
    name: 'Change Password',
    endpoint: authPassword,
    path: () => '/password',
    fill: (page) => fillPasswords(page, 'correct-horse-battery-staple', 'stapled-battery-horses'),
    submit: submitPassword,
    done: message(/^Password changed successfully/),
  },
];

/** A question instead of fields. */
const STATUS_DIALOG: Form = {
  name: 'User status',
  endpoint: userUpdate,
  path: ({ userId }) => `/users/${userId}`,
  async fill(page) {
    await page.getByRole('button', { name: 'Suspended' }).click();
    await this.submit(page).focus();
  },
  submit: (page) =>
    page.getByRole('alertdialog').getByRole('button', { name: /^(Confirm|Changing)/ }),
  done: message(/^Status changed to SUSPENDED/),
};

export const FORMS: readonly Form[] = [LOGIN_FORM, ...TYPED_FORMS, STATUS_DIALOG];
