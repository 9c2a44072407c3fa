import { assignmentRevoke } from '@meridian/contract/assignments';
import { authPassword } from '@meridian/contract/auth';
import {
  currencyActivate,
  currencyDeactivate,
  currencyUpdate,
} from '@meridian/contract/currencies';
import type { Endpoint } from '@meridian/contract/endpoint';
import { SPECIFIED_CALLS } from '@meridian/contract/endpoints';
import {
  planPublish,
  planSetActive,
  planSetVisibility,
  planUpdate,
} from '@meridian/contract/plans';
import { postCancel, postDelete, postUpdate } from '@meridian/contract/posts';
import { settingsUpdate } from '@meridian/contract/settings';
import { ticketRevoke } from '@meridian/contract/tickets';
import { userRestrict, userUpdate } from '@meridian/contract/users';
import { checkCurrencies } from './currency-writes.ts';
import { changedPlan, checkPlansAndTickets, newPlan } from './plan-writes.ts';
import { NOT_SIGNED_IN, UNKNOWN_ID, unknownId } from './probe.ts';
import type { Probe } from './probe.ts';

/** With what they are sent to an id that is none. */
const OF_ONE: readonly (readonly [Endpoint, unknown])[] = [
  [userUpdate, { is_active: true }],
  [userRestrict, { upgradeProhibited: false }],
  [assignmentRevoke, undefined],
  [postUpdate, { status: 'CANCELLED' }],
  [postDelete, undefined],
  [postCancel, undefined],
  [ticketRevoke, undefined],
  [planUpdate, changedPlan(newPlan('unknown'))],
  [planSetVisibility, { isVisible: false }],
  [planSetActive, { isActive: false }],
  [currencyUpdate, { name: 'Unknown' }],
  [currencyDeactivate, undefined],
  [currencyActivate, undefined],
];

const NOT_OURS = 'a success: the console has no call that makes one, and yours are left alone';
const LEFT_OUT: readonly (readonly [Endpoint, string])[] = [
  [authPassword, 'a change: the password of the account stays as it is'],
  [settingsUpdate, 'a change: these are the switches of the whole service'],
  [planPublish, 'it would publish your plans'],
  ...[userUpdate, userRestrict, assignmentRevoke, postUpdate, postDelete, postCancel].map(
    (endpoint) => [endpoint, NOT_OURS] as const,
  ),
];

/** Changes only what it has made itself; what cannot be removed stays inactive, hidden or revoked. */
export async function checkWrites(probe: Probe): Promise<void> {
  const params = { id: unknownId(null), assignmentId: unknownId(null) };
  for (const endpoint of SPECIFIED_CALLS) {
    const isChange = endpoint.method !== 'GET' && endpoint.credential === 'bearer';
    // A server that lets this one through would publish.
    if (!isChange || endpoint === planPublish) continue;
    await probe.isRefused(endpoint, { token: null, params, body: {} }, NOT_SIGNED_IN);
  }
  for (const [endpoint, body] of OF_ONE) {
    await probe.isRefused(endpoint, { params, body }, UNKNOWN_ID);
  }
  await checkCurrencies(probe);
  await checkPlansAndTickets(probe);
  for (const [endpoint, reason] of LEFT_OUT) probe.report.add('notTried', endpoint, reason);
}

/** In place of all that. */
export function leaveWritesOut(probe: Probe): void {
  for (const endpoint of SPECIFIED_CALLS) {
    if (endpoint.method === 'GET' || endpoint.credential === 'none') continue;
    probe.report.add('notTried', endpoint, 'it changes something: add --writes');
  }
}
