import { accessKeywordCreate, accessKeywordList, accessKeywordRevoke } from './access-keywords.ts';
import { accountDisconnect, accountGet } from './accounts.ts';
import { apiTokenCreate, apiTokenList, apiTokenRevoke, apiTokenRotate } from './api-tokens.ts';
import { assignmentList, assignmentRevoke } from './assignments.ts';
import { auditList, auditReverse } from './audit.ts';
import { authLogin, authLogout, authMe, authPassword } from './auth.ts';
import {
  bulkGet,
  bulkList,
  bulkPreview,
  bulkResult,
  bulkStart,
  bulkStop,
  consequenceGet,
} from './bulk.ts';
import {
  currencyActivate,
  currencyCreate,
  currencyDeactivate,
  currencyGet,
  currencyList,
  currencyUpdate,
} from './currencies.ts';
import { deliveryGet, engineGet } from './engine.ts';
import type { Endpoint } from './endpoint.ts';
import { currencyExport, planExport, postExport, ticketExport, userExport } from './exports.ts';
import { findGet } from './find.ts';
import { eventStream } from './events.ts';
import { failureList } from './failures.ts';
import { postRetry } from './causes.ts';
import { handoverUpdate, overviewGet, statsGet } from './overview.ts';
import { resumePreview, serviceResume, suspensionUpdate } from './suspension.ts';
import { pictureLoad } from './pictures.ts';
import {
  planCreate,
  planGet,
  planList,
  planPublish,
  planSetActive,
  planSetVisibility,
  planUpdate,
} from './plans.ts';
import { postCancel, postDelete, postGet, postList, postUpdate, userPosts } from './posts.ts';
import { settingsGet, settingsUpdate } from './settings.ts';
import { ticketGet, ticketIssue, ticketList, ticketRevoke } from './tickets.ts';
import { userGet, userList, userRestrict, userUpdate } from './users.ts';
import { scheduleCheckGet } from './schedule-check.ts';

/**
 * Every call, in the order of the specification's table, then the extras. The console imports single
 * endpoints from their noun instead, so that a page loads only what it calls.
 */
export const ENDPOINTS = [
  authLogin,
  authMe,
  authPassword,
  authLogout,
  settingsGet,
  settingsUpdate,
  statsGet,
  userList,
  userGet,
  userUpdate,
  userPosts,
  assignmentList,
  assignmentRevoke,
  userRestrict,
  postList,
  postGet,
  postUpdate,
  postDelete,
  postCancel,
  ticketIssue,
  ticketList,
  ticketGet,
  ticketRevoke,
  planList,
  planGet,
  planCreate,
  planUpdate,
  planSetVisibility,
  planSetActive,
  planPublish,
  currencyList,
  currencyGet,
  currencyCreate,
  currencyUpdate,
  currencyDeactivate,
  currencyActivate,
  pictureLoad,
  engineGet,
  deliveryGet,
  findGet,
  postExport,
  userExport,
  ticketExport,
  planExport,
  currencyExport,
  auditList,
  auditReverse,
  eventStream,
  failureList,
  postRetry,
  overviewGet,
  handoverUpdate,
  scheduleCheckGet,
  bulkPreview,
  bulkStart,
  bulkStop,
  bulkGet,
  bulkList,
  bulkResult,
  consequenceGet,
  accountGet,
  accountDisconnect,
  accessKeywordList,
  accessKeywordCreate,
  accessKeywordRevoke,
  suspensionUpdate,
  resumePreview,
  serviceResume,
  apiTokenList,
  apiTokenCreate,
  apiTokenRotate,
  apiTokenRevoke,
] as const satisfies readonly Endpoint[];

/** A service behind the console has to serve these. */
export const SPECIFIED_CALLS: readonly Endpoint[] = ENDPOINTS.slice(
  0,
  ENDPOINTS.indexOf(pictureLoad),
).filter((call) => call !== authLogout);
