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
import { CURRENCY_BODY } from '@meridian/contract/samples';
import { ticketIssue, ticketRevoke } from '@meridian/contract/tickets';
import { expect } from 'vitest';
import { HOST } from '../../src/audit/audit.store.ts';
import type { TestApp } from '../app.ts';
import {
  insertCurrency,
  insertTicket,
  planBody,
  planUpdate as updateBody,
} from '../plan-fixtures.ts';
import { UNKNOWN } from './change.ts';
import type { Prepare } from './change.ts';

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

/** Changes of what is sold: tickets, plans, currencies. */
export const COMMERCE_CHANGES: readonly [Endpoint, Prepare][] = [
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
      const refused = { body: { ...body, planId: UNKNOWN.id } };
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
      const refused = { params: UNKNOWN, body };
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
      const body = { ...CURRENCY_BODY, code: 'xts' };
      const refused = { body: { ...body, code: taken.code } };
      return { call: { body }, before: null, after: body, refused };
    },
  ],
  [
    currencyUpdate,
    async (test) => {
      const { id, params } = await aCurrency(test);
      const body = { symbol: '¢', displayOrder: 3 };
      const before = { symbol: '¤', displayOrder: 999 };
      return {
        call: { params, body },
        id,
        before,
        after: body,
        refused: { params: UNKNOWN, body },
      };
    },
  ],
  [
    currencyDeactivate,
    async (test) => {
      const { id, params } = await aCurrency(test);
      const before = { isActive: true };
      const after = { isActive: false };
      return { call: { params }, id, before, after, refused: { params: UNKNOWN } };
    },
  ],
  [
    currencyActivate,
    async (test) => {
      const { id, params } = await aCurrency(test, false);
      const before = { isActive: false };
      const after = { isActive: true };
      return { call: { params }, id, before, after, refused: { params: UNKNOWN } };
    },
  ],
];
