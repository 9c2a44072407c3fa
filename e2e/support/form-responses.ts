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
import { ME, sampleCurrency, samplePlan, sampleTicket, sampleUser } from './samples.ts';

/** For a server that knows one of each. */
export const SAMPLE_IDS = { userId: 'u', postId: 'p', ticketId: 't', planId: 'l', currencyId: 'c' };

/** What another vendor's server responds to a form that succeeds, by the name of its call. */
export const FORM_RESPONSES = new Map<string, unknown>([
  [authLogin.name, { token: 'next-token', admin: ME }],
  [planCreate.name, { plan: samplePlan() }],
  [planUpdate.name, { plan: samplePlan() }],
  [ticketIssue.name, { ticket: sampleTicket() }],
  [currencyCreate.name, { currency: sampleCurrency() }],
  [currencyUpdate.name, { currency: sampleCurrency() }],
  [authPassword.name, { success: true }],
  [userUpdate.name, { user: sampleUser() }],
]);
