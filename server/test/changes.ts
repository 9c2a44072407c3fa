import { assignmentRevoke } from '@meridian/contract/assignments';
import { authLogin, authLogout, authPassword } from '@meridian/contract/auth';
import {
  currencyActivate,
  currencyCreate,
  currencyDeactivate,
  currencyUpdate,
} from '@meridian/contract/currencies';
import type { Endpoint } from '@meridian/contract/endpoint';
import {
  planCreate,
  planPublish,
  planSetActive,
  planSetVisibility,
  planUpdate,
} from '@meridian/contract/plans';
import { postCancel, postDelete, postUpdate } from '@meridian/contract/posts';
import { settingsUpdate } from '@meridian/contract/settings';
import { ticketIssue, ticketRevoke } from '@meridian/contract/tickets';
import { userRestrict, userUpdate } from '@meridian/contract/users';
import { expect } from 'vitest';
import { HOST } from '../src/audit/author.ts';
import type { SignedIn, TestApp } from './app.ts';
import type { CallOptions } from './call.ts';
import { grantPlan, insertPost, insertUser } from './fixtures.ts';
import {
  insertCurrency,
  insertTicket,
  planBody,
  planUpdate as updateBody,
} from './plan-fixtures.ts';

type Options = CallOptions<Endpoint>;

/** A call that changes something, and what the record has to say of it. */
export type Change = {
  call: Options;
  /** Of what changes; undefined when the call makes it, null when it is nothing with an id. */
  id?: string | null;
  before: unknown;
  after: unknown;
  /** The same call, so that it is refused; null when only a missing session could be the reason. */
  refused: Options | null;
};

/** Makes what is to be changed. The administrator is new, and nobody else's. */
type Prepare = (test: TestApp, admin: SignedIn) => Promise<Change>;

const NOBODY = { id: '01890000-0000-7000-8000-000000000000' };
const NEW_PASSWORD = 'quiet river stones';

async function aUser({ db }: TestApp) {
  const id = await insertUser(db);
  return { id, params: { id } };
}

async function aPost(test: TestApp) {
  const user = await insertUser(test.db);
  const id = await insertPost(test.db, user, { content: 'Words of somebody' });
  return { id, user, params: { id } };
}

async function aPlan(test: TestApp) {
  const plan = await test.context.plans.create(HOST, planBody());
  return { plan, id: plan.id, params: { id: plan.id } };
}

let currencies = 0;

async function aCurrency({ db }: TestApp, isActive = true) {
  currencies += 1;
  const code = `q${[26, 1].map((place) => letter(Math.floor(currencies / place) % 26)).join('')}`;
  const id = await insertCurrency(db, code, { isActive });
  return { id, code, params: { id } };
}

function letter(index: number): string {
  return String.fromCodePoint(97 + index);
}

/** Every call of the contract that changes something. */
export const CHANGES: readonly [Endpoint, Prepare][] = [
  [
    authLogin,
    async (_, { adminId: id, username, password }) => ({
      call: { token: undefined, body: { username, password } },
      id,
      before: null,
      after: null,
      refused: null,
    }),
  ],
  [
    authLogout,
    async (_, { adminId: id }) => ({ call: {}, id, before: null, after: null, refused: null }),
  ],
  [
    authPassword,
    async (_, { adminId: id, password }) => ({
      call: { body: { currentPassword: password, newPassword: NEW_PASSWORD } },
      id,
      before: null,
      after: null,
      refused: { body: { currentPassword: 'another one', newPassword: NEW_PASSWORD } },
    }),
  ],
  [
    settingsUpdate,
    async (test) => {
      const { is_closed_beta } = await test.context.settings.get();
      return {
        call: { body: { is_closed_beta: !is_closed_beta } },
        id: '1',
        before: { is_closed_beta },
        after: { is_closed_beta: !is_closed_beta },
        refused: { body: {} },
      };
    },
  ],
  [
    userUpdate,
    async (test) => {
      const { id, params } = await aUser(test);
      const body = { status: 'SUSPENDED' };
      const after = { status: 'SUSPENDED' };
      const refused = { params: NOBODY, body };
      return { call: { params, body }, id, before: { status: 'ACTIVE' }, after, refused };
    },
  ],
  [
    userRestrict,
    async (test) => {
      const { id, params } = await aUser(test);
      const body = { upgradeProhibited: true };
      return {
        call: { params, body },
        id,
        before: { upgrade_prohibited: false },
        after: { upgrade_prohibited: true },
        refused: { params: NOBODY, body },
      };
    },
  ],
  [
    assignmentRevoke,
    async (test) => {
      const user = await insertUser(test.db);
      const { assignmentId } = await grantPlan(test.db, user);
      const stranger = await insertUser(test.db);
      return {
        call: { params: { id: user, assignmentId } },
        id: assignmentId,
        before: { status: 'ACTIVE' },
        after: { status: 'REVOKED' },
        refused: { params: { id: stranger, assignmentId } },
      };
    },
  ],
  [
    postUpdate,
    async (test) => {
      const { id, params } = await aPost(test);
      return {
        call: { params, body: { status: 'PROCESSING' } },
        id,
        before: { status: 'PENDING' },
        after: { status: 'PROCESSING' },
        refused: { params, body: { status: 'PENDING' } },
      };
    },
  ],
  [
    postCancel,
    async (test) => {
      const { id, user, params } = await aPost(test);
      const done = await insertPost(test.db, user, { status: 'COMPLETED' });
      const before = { status: 'PENDING' };
      const after = { status: 'CANCELLED' };
      return { call: { params }, id, before, after, refused: { params: { id: done } } };
    },
  ],
  [
    postDelete,
    async (test) => {
      const { id, user, params } = await aPost(test);
      const before = {
        user_id: user,
        status: 'PENDING',
        scheduled_at: '2026-03-01T09:00:00+00:00',
        created_at: '2026-02-01T09:00:00+00:00',
        executed_at: null,
        at_uri: null,
        content_sha256: '43b53974b4612b386603fb572ccdd49239d51145064b651da795dfd8cd043d3d',
      };
      return { call: { params }, id, before, after: null, refused: { params: NOBODY } };
    },
  ],
  [
    ticketIssue,
    async (test) => {
      const { id: planId } = await aPlan(test);
      const body = { planId, validDays: 30, memo: 'For the press' };
      const after = {
        code: expect.stringMatching(/^[2-9A-Z]{4}-\*{4}-\*{4}-\*{4}$/),
        planId,
        validDays: 30,
        maxRedemptions: 1,
        redemptionDeadline: null,
        memo: 'For the press',
        limitsOverride: null,
      };
      const refused = { body: { ...body, planId: NOBODY.id } };
      return { call: { body }, before: null, after, refused };
    },
  ],
  [
    ticketRevoke,
    async (test, { adminId }) => {
      const plan = await aPlan(test);
      const id = await insertTicket(test.db, plan.id, adminId);
      const revoked = await insertTicket(test.db, plan.id, adminId, { status: 'REVOKED' });
      const before = { status: 'UNUSED' };
      const after = { status: 'REVOKED' };
      const refused = { params: { id: revoked } };
      return { call: { params: { id } }, id, before, after, refused };
    },
  ],
  [
    planCreate,
    async (test) => {
      const { plan } = await aPlan(test);
      const body = planBody();
      const after = { ...body, version: 1 };
      return {
        call: { body },
        before: null,
        after,
        refused: { body: { ...body, name: plan.name } },
      };
    },
  ],
  [
    planUpdate,
    async (test) => {
      const { plan, id, params } = await aPlan(test);
      const body = updateBody({ name: plan.name, description: { en: 'For more' } });
      return {
        call: { params, body },
        id,
        before: { description: plan.description, version: 1 },
        after: { description: { en: 'For more' }, version: 2 },
        refused: { params, body, headers: { 'if-match': '"v7"' } },
      };
    },
  ],
  [
    planSetVisibility,
    async (test) => {
      const { id, params } = await aPlan(test);
      const body = { isVisible: false };
      const before = { isVisible: true, version: 1 };
      const after = { isVisible: false, version: 2 };
      const refused = { params: NOBODY, body };
      return { call: { params, body }, id, before, after, refused };
    },
  ],
  [
    planSetActive,
    async (test) => {
      const { id, params } = await aPlan(test);
      const body = { isActive: false };
      const before = { isActive: true, version: 1 };
      const after = { isActive: false, version: 2 };
      const refused = { params, body, headers: { 'if-match': '"v7"' } };
      return { call: { params, body }, id, before, after, refused };
    },
  ],
  [planPublish, async () => ({ call: {}, id: null, before: null, after: null, refused: null })],
  [
    currencyCreate,
    async (test) => {
      const taken = await aCurrency(test);
      const body = { code: 'xts', name: 'Test', symbol: 'T' };
      const after = {
        ...body,
        useDecimals: true,
        decimalPlaces: 2,
        displayOrder: 999,
        isActive: true,
      };
      const refused = { body: { ...body, code: taken.code } };
      return { call: { body }, before: null, after, refused };
    },
  ],
  [
    currencyUpdate,
    async (test) => {
      const { id, params } = await aCurrency(test);
      const body = { symbol: '¢', displayOrder: 3 };
      const before = { symbol: '¤', displayOrder: 999 };
      return { call: { params, body }, id, before, after: body, refused: { params: NOBODY, body } };
    },
  ],
  [
    currencyDeactivate,
    async (test) => {
      const { id, params } = await aCurrency(test);
      const before = { isActive: true };
      const after = { isActive: false };
      return { call: { params }, id, before, after, refused: { params: NOBODY } };
    },
  ],
  [
    currencyActivate,
    async (test) => {
      const { id, params } = await aCurrency(test, false);
      const before = { isActive: false };
      const after = { isActive: true };
      return { call: { params }, id, before, after, refused: { params: NOBODY } };
    },
  ],
];
