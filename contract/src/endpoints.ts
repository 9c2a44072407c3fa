import { assignmentList, assignmentRevoke } from './assignments.ts';
import { authLogin, authLogout, authMe, authPassword } from './auth.ts';
import {
  currencyActivate,
  currencyCreate,
  currencyDeactivate,
  currencyGet,
  currencyList,
  currencyUpdate,
} from './currencies.ts';
import { deliveryGet } from './deliveries.ts';
import type { Endpoint } from './endpoint.ts';
import { engineGet } from './engine.ts';
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
import { statsGet } from './stats.ts';
import { ticketGet, ticketIssue, ticketList, ticketRevoke } from './tickets.ts';
import { userGet, userList, userRestrict, userUpdate } from './users.ts';

/**
 * Every call, in the order of the specification's table, then the extras. The server must serve each; the console
 * imports single endpoints from their noun instead, so that a page loads only what it calls.
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
] as const satisfies readonly Endpoint[];
