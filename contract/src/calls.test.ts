import { expect, test } from 'vitest';
import {
  accessKeywordCreate,
  accessKeywordList,
  accessKeywordRevoke,
  accountDisconnect,
  accountGet,
  apiTokenCreate,
  apiTokenList,
  apiTokenRevoke,
  apiTokenRotate,
  auditList,
  auditReverse,
  authLogin,
  authLogout,
  authPassword,
  bulkGet,
  bulkList,
  bulkPreview,
  bulkResult,
  bulkStart,
  bulkStop,
  consequenceGet,
  currencyCreate,
  currencyExport,
  currencyList,
  currencyUpdate,
  deliveryGet,
  ENDPOINTS,
  engineGet,
  failureList,
  findGet,
  eventStream,
  handoverUpdate,
  overviewGet,
  pictureLoad,
  planCreate,
  planExport,
  planList,
  planSetActive,
  planSetVisibility,
  planUpdate,
  POST_FILTER_NAMES,
  postExport,
  postList,
  postRetry,
  postUpdate,
  settingsUpdate,
  SPECIFIED_CALLS,
  ticketExport,
  ticketIssue,
  ticketList,
  userExport,
  userList,
  userPosts,
  userRestrict,
  userUpdate,
  scheduleCheckGet,
  suspensionUpdate,
  resumePreview,
  serviceResume,
} from './index.ts';

const PLAN_FIELDS = [
  'name',
  'displayName',
  'description',
  'priceMonthly',
  'priceYearly',
  'currency',
  'limits',
  'features',
  'displayOrder',
  'isActive',
  'isVisible',
];
const CURRENCY_FIELDS = [
  'name',
  'symbol',
  'useDecimals',
  'decimalPlaces',
  'displayOrder',
  'isActive',
];

const OTHERS = [
  authLogout,
  pictureLoad,
  engineGet,
  deliveryGet,
  findGet,
  auditList,
  auditReverse,
  eventStream,
];
const EXPORTS = [postExport, userExport, ticketExport, planExport, currencyExport];
const OVERVIEW = [failureList, postRetry, overviewGet, handoverUpdate, scheduleCheckGet];
const BULK = [bulkPreview, bulkStart, bulkStop, bulkGet, bulkList, bulkResult, consequenceGet];
const SUSPENSION = [suspensionUpdate, resumePreview, serviceResume];
const PEOPLE = [
  accountGet,
  accountDisconnect,
  accessKeywordList,
  accessKeywordCreate,
  accessKeywordRevoke,
];
const TOKENS = [apiTokenList, apiTokenCreate, apiTokenRotate, apiTokenRevoke];

// Proves 7.1
test('the calls are those of the specification, in its order', () => {
  const groups = [...OTHERS, ...EXPORTS, ...OVERVIEW, ...BULK, ...SUSPENSION, ...PEOPLE, ...TOKENS];
  const extras = new Set<string>(groups.map(({ name }) => name));
  const calls = ENDPOINTS.filter(({ name }) => !extras.has(name));
  expect(calls.map(({ method, path }) => `${method} ${path}`)).toEqual([
    'POST /api/admin/auth/login',
    'GET /api/admin/auth/me',
    'PUT /api/admin/auth/password',
    'GET /api/admin/settings',
    'PATCH /api/admin/settings',
    'GET /api/admin/stats',
    'GET /api/admin/users',
    'GET /api/admin/users/{id}',
    'PATCH /api/admin/users/{id}',
    'GET /api/admin/users/{id}/posts',
    'GET /api/admin/users/{id}/plan-assignments',
    'POST /api/admin/users/{id}/plan-assignments/{assignmentId}/revoke',
    'PATCH /api/admin/users/{id}/restrictions',
    'GET /api/admin/posts',
    'GET /api/admin/posts/{id}',
    'PATCH /api/admin/posts/{id}',
    'DELETE /api/admin/posts/{id}',
    'POST /api/admin/posts/{id}/cancel',
    'POST /api/admin/tickets/issue',
    'GET /api/admin/tickets',
    'GET /api/admin/tickets/{id}',
    'POST /api/admin/tickets/{id}/revoke',
    'GET /api/admin/plans',
    'GET /api/admin/plans/{id}',
    'POST /api/admin/plans',
    'PUT /api/admin/plans/{id}',
    'PATCH /api/admin/plans/{id}/visibility',
    'PATCH /api/admin/plans/{id}/active',
    'POST /api/admin/plans/publish',
    'GET /api/admin/currencies',
    'GET /api/admin/currencies/{id}',
    'POST /api/admin/currencies',
    'PATCH /api/admin/currencies/{id}',
    'DELETE /api/admin/currencies/{id}',
    'POST /api/admin/currencies/{id}/activate',
  ]);
  expect(SPECIFIED_CALLS).toEqual(calls);
});

// Proves 3.27, 7.2
test.each([
  ['authLogin', authLogin.body, ['username', 'password']],
  ['authPassword', authPassword.body, ['currentPassword', 'newPassword']],
  ['settingsUpdate', settingsUpdate.body, ['is_closed_beta', 'is_service_suspended']],
  ['userUpdate', userUpdate.body, ['status', 'is_active']],
  ['userRestrict', userRestrict.body, ['upgradeProhibited']],
  ['postUpdate', postUpdate.body, ['status']],
  [
    'ticketIssue',
    ticketIssue.body,
    ['planId', 'validDays', 'maxRedemptions', 'redemptionDeadline', 'memo', 'limitsOverride'],
  ],
  ['planCreate', planCreate.body, ['tier', ...PLAN_FIELDS]],
  ['planUpdate', planUpdate.body, PLAN_FIELDS],
  ['planSetVisibility', planSetVisibility.body, ['isVisible']],
  ['planSetActive', planSetActive.body, ['isActive']],
  ['currencyCreate', currencyCreate.body, ['code', ...CURRENCY_FIELDS]],
  ['currencyUpdate', currencyUpdate.body, CURRENCY_FIELDS],
  // Extras of this server: cursors, the search for users, the further filters of posts, and all that
  // narrows the list of tickets.
  ['userList', userList.query, ['limit', 'offset', 'cursor', 'status', 'search']],
  ['userPosts', userPosts.query, ['limit', 'offset', 'cursor', 'status']],
  [
    'postList',
    postList.query,
    ['limit', 'offset', 'cursor', 'status', 'userFilter', 'sort', 'order', ...POST_FILTER_NAMES],
  ],
  ['ticketList', ticketList.query, ['limit', 'offset', 'cursor', 'status', 'search']],
  ['planList', planList.query, ['includeInactive', 'includeInvisible']],
  ['currencyList', currencyList.query, ['includeInactive']],
  ['pictureLoad', pictureLoad.query, ['url']],
  ['findGet', findGet.query, ['q']],
  ['postExport', postExport.query, ['status', 'userFilter', ...POST_FILTER_NAMES, 'format']],
  ['userExport', userExport.query, ['status', 'search', 'format']],
  ['ticketExport', ticketExport.query, ['status', 'search', 'format']],
  ['planExport', planExport.query, ['format']],
  ['currencyExport', currencyExport.query, ['format']],
  [
    'auditList',
    auditList.query,
    ['limit', 'offset', 'cursor', 'actor', 'action', 'entity', 'entityId', 'batch', 'from', 'to'],
  ],
  ['failureList', failureList.query, ['window']],
  ['handoverUpdate', handoverUpdate.body, ['text']],
  ['bulkPreview', bulkPreview.body, ['action', 'value', 'selection']],
  ['bulkStart', bulkStart.body, ['token', 'typedCount']],
  ['suspensionUpdate', suspensionUpdate.body, ['expectedEndAt', 'noticeForPeople']],
  ['serviceResume', serviceResume.body, ['token', 'tooLate', 'perMinute']],
  ['consequenceGet', consequenceGet.query, ['of', 'id']],
  ['accessKeywordCreate', accessKeywordCreate.body, ['word', 'maxUses', 'expiresAt']],
  ['apiTokenCreate', apiTokenCreate.body, ['name', 'expiresAt', 'rights', 'origins']],
  ['apiTokenRotate', apiTokenRotate.body, ['graceMinutes']],
])('%s takes the fields of the specification and no others', (_name, schema, fields) => {
  expect(Object.keys(schema.shape)).toEqual(fields);
});

// Proves 7.2
test('every other call takes nothing', () => {
  const takers = ENDPOINTS.filter(({ body, query }) => body !== null || query !== null);
  expect(takers).toHaveLength(37);
});
