import { apiTokenCreate } from '@meridian/contract/api-tokens';
import { currencyCreate } from '@meridian/contract/currencies';
import type { Endpoint } from '@meridian/contract/endpoint';
import { planCreate } from '@meridian/contract/plans';
import { sql } from '../../server/src/db/sql.ts';
import { startTestApp } from '../../server/test/app.ts';
import type { TestApp } from '../../server/test/app.ts';
import { insertBulkChange } from '../../server/test/every-call.ts';
import { insertPost, insertUser } from '../../server/test/fixtures.ts';
import { insertKeyword } from '../../server/test/members.ts';
import { insertTicket, planBody, planUpdate, redeemById } from '../../server/test/plan-fixtures.ts';
import { touchedTables, watchTables } from './watched-tables.ts';

/** A request that could succeed, to be spoilt in one place. */
export type Example = {
  params: Record<string, string>;
  query: Record<string, string>;
  body: Record<string, unknown> | null;
};

export type World = {
  api: TestApp;
  token: string;
  exampleOf(endpoint: Endpoint): Example;
  /** The tables of what people keep here that were changed since this was last asked. */
  changes(): Promise<string[]>;
};

// The limits on signing in have tests of their own; here they would only be in the way.
const ENV = { LOGIN_ATTEMPTS_PER_NETWORK: '10000' };

const QUERIES: Record<string, Record<string, string>> = {
  userList: { limit: '5', offset: '0', status: 'ACTIVE' },
  userPosts: { limit: '5', offset: '0', status: 'PENDING' },
  postList: {
    limit: '5',
    offset: '0',
    status: 'PENDING',
    userFilter: 'fixture',
    sort: 'created_at',
    order: 'asc',
  },
  ticketList: { limit: '5', offset: '0', cursor: 'next', status: 'UNUSED', search: 'fixture' },
  planList: { includeInactive: 'true', includeInvisible: 'true' },
  currencyList: { includeInactive: 'true' },
  auditList: {
    limit: '5',
    offset: '0',
    actor: 'host',
    action: 'userUpdate',
    entity: 'user',
    entityId: 'x',
    batch: '01890000-0000-7000-8000-000000000000',
    from: '2026-01-01T00:00:00.000Z',
    to: '2099-01-01T00:00:00.000Z',
  },
  findGet: { q: 'fixture' },
  postExport: { format: 'csv', status: 'PENDING' },
  userExport: { format: 'ndjson', status: 'ACTIVE' },
  ticketExport: { format: 'csv', search: 'fixture' },
  planExport: { format: 'csv' },
  currencyExport: { format: 'ndjson' },
  pictureLoad: { url: 'https://pictures.example.test/a.png' },
};

const TOKEN_BODY = {
  name: 'nightly',
  rights: ['posts:read' as const],
  expiresAt: new Date(Date.now() + 86_400_000).toISOString(),
};

/** A service with one of everything. */
export async function createWorld(): Promise<World> {
  const api = await startTestApp('embedded', { env: ENV });
  const { token, adminId, password } = await api.signIn();
  const { db } = api;
  const userId = await insertUser(db);
  const postId = await insertPost(db, userId);
  // Not that of the plan, which keeps its currency active.
  const currency = { code: 'eur', name: 'Euro', symbol: '€' };
  const { answer: made } = await api.call(currencyCreate, { token, body: currencyBody(currency) });
  const { answer: planned } = await api.call(planCreate, {
    token,
    body: paidPlan(planBody()),
    headers: { 'idempotency-key': 'the-first-plan' },
  });
  const planId = planned.plan.id;
  const ticketId = await insertTicket(db, planId, adminId);
  const usedId = await insertTicket(db, planId, adminId);
  const assignmentId = (await redeemById(db, usedId, userId)) ?? '';
  const changeId = await insertBulkChange(db);
  await db.execute(sql`insert into accounts (user_id, host) values (${userId}, 'pds.example')`);
  const keywordId = await insertKeyword(db, { word: 'come-and-see' });
  const tokenMade = await api.call(apiTokenCreate, { token, body: TOKEN_BODY });
  await watchTables(db);
  const ids: Record<string, string> = {
    users: userId,
    posts: postId,
    plans: planId,
    tickets: ticketId,
    currencies: made.currency.id,
    assignmentId,
    // The first entry is that of the currency.
    audit: '1',
    'bulk-changes': changeId,
    'access-keywords': keywordId,
    'api-tokens': tokenMade.answer.apiToken.id,
  };

  let serial = 0;
  const nextCode = () => {
    serial += 1;
    return [26 * 26, 26, 1].map((place) => letter(Math.floor(serial / place))).join('');
  };
  const bodies: Record<string, () => Record<string, unknown>> = {
    authLogin: () => ({ username: 'nobody', password: 'wrong password' }),
    authPassword: () => ({
      currentPassword: `not ${password}`,
      newPassword: 'a quite new password',
    }),
    settingsUpdate: () => ({ is_closed_beta: true }),
    userUpdate: () => ({ status: 'ACTIVE' }),
    userRestrict: () => ({ upgradeProhibited: true }),
    postUpdate: () => ({ status: 'PROCESSING' }),
    ticketIssue: () => ticketBody(planId),
    planCreate: () => paidPlan(planBody()),
    planUpdate: () => paidPlan(planUpdate()),
    planSetVisibility: () => ({ isVisible: true }),
    planSetActive: () => ({ isActive: true }),
    accessKeywordCreate: () => ({ word: `garden ${nextCode()}`, maxUses: 5, expiresAt: null }),
    apiTokenCreate: () => TOKEN_BODY,
    apiTokenRotate: () => ({ graceMinutes: 5 }),
    handoverUpdate: () => ({ text: 'Watch the hosts' }),
    bulkPreview: () => ({ action: 'postCancel', selection: { ids: [postId] } }),
    bulkStart: () => ({ token: postId }),
    suspensionUpdate: () => ({ expectedEndAt: null, noticeForPeople: 'Back soon' }),
    serviceResume: () => ({
      token: '2026-01-01T00:00:00.000Z/0/0',
      tooLate: ['older'],
      perMinute: 20,
    }),
    currencyCreate: () => currencyBody({ code: nextCode(), name: 'A currency', symbol: '¤' }),
    currencyUpdate: () => {
      const { code: _, ...body } = currencyBody({ code: '', name: 'US Dollar', symbol: '$' });
      return body;
    },
  };

  return {
    api,
    token,
    exampleOf: ({ name, path, body }) => ({
      params: paramsOf(path, ids),
      query: QUERIES[name] ?? {},
      body: body === null ? null : (bodies[name]?.() ?? {}),
    }),
    changes: () => touchedTables(db),
  };
}

/** `{id}` is the id of the noun before it; other names stand for themselves. */
function paramsOf(path: string, ids: Record<string, string>): Record<string, string> {
  const found = [...path.matchAll(/\/([\w-]+)\/\{(\w+)\}/gu)];
  return Object.fromEntries(
    found.map(([, noun = '', name = '']) => [name, ids[name] ?? ids[noun] ?? 'missing']),
  );
}

function letter(index: number): string {
  return String.fromCodePoint(97 + (index % 26));
}

function currencyBody(fields: { code: string; name: string; symbol: string }) {
  return { ...fields, useDecimals: true, decimalPlaces: 2, displayOrder: 1, isActive: true };
}

function paidPlan(plan: object): Record<string, unknown> {
  return { ...plan, priceMonthly: { usd: 4.9 }, priceYearly: { usd: 49 } };
}

function ticketBody(planId: string): Record<string, unknown> {
  return {
    planId,
    validDays: 30,
    maxRedemptions: 1,
    redemptionDeadline: '2099-01-01T00:00:00.000Z',
    memo: 'for a friend',
    limitsOverride: {
      monthly_posts_limit: 5,
      concurrent_posts_limit: 5,
      schedule_interval_minutes: 5,
      max_post_length: 200,
      max_schedule_days: 30,
      thread_posts: true,
      thread_posts_limit: 3,
    },
  };
}
