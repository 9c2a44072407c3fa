import type { Endpoint } from '@meridian/contract/endpoint';
import type * as events from '@meridian/contract/events';
import type * as account from '@meridian/contract/me/account';
import type * as posts from '@meridian/contract/me/posts';
import { registerAccess } from '@meridian/ui/api/call.ts';
import type { ApiError } from '@meridian/ui/api/errors.ts';

type Contract = typeof account & typeof posts & Pick<typeof events, 'meEvents'>;
type Endpoints = {
  [Name in keyof Contract as Contract[Name] extends Endpoint ? Name : never]: Contract[Name];
};

/**
 * An endpoint of the contract without its schemas, which would be a tenth of what the page may weigh.
 * calls.test.ts holds the three values against the contract.
 */
function named<Name extends keyof Endpoints>(
  name: Name,
  method: Endpoints[Name]['method'],
  path: Endpoints[Name]['path'],
): Endpoints[Name] {
  return { name, method, path } as Endpoints[Name]; // nothing on this page reads what is left out
}

export const meSignIn = named('meSignIn', 'POST', '/api/me/sign-in');
export const meSignOut = named('meSignOut', 'POST', '/api/me/sign-out');
export const meGet = named('meGet', 'GET', '/api/me');
export const meEvents = named('meEvents', 'GET', '/api/me/events');
export const meExport = named('meExport', 'GET', '/api/me/export');
export const meDisconnect = named('meDisconnect', 'POST', '/api/me/disconnect');
export const meDelete = named('meDelete', 'POST', '/api/me/delete');
export const meTicketRedeem = named('meTicketRedeem', 'POST', '/api/me/tickets/redeem');
export const meLinkCard = named('meLinkCard', 'POST', '/api/me/link-card');
export const meMediaUpload = named('meMediaUpload', 'POST', '/api/me/media');
export const mePostCreate = named('mePostCreate', 'POST', '/api/me/posts');
export const mePostList = named('mePostList', 'GET', '/api/me/posts');
export const mePostGet = named('mePostGet', 'GET', '/api/me/posts/{id}');
export const mePostUpdate = named('mePostUpdate', 'PATCH', '/api/me/posts/{id}');
export const mePostCancel = named('mePostCancel', 'POST', '/api/me/posts/{id}/cancel');
export const mePostDelete = named('mePostDelete', 'DELETE', '/api/me/posts/{id}');
export const mePostRetry = named('mePostRetry', 'POST', '/api/me/posts/{id}/retry');

let memberId: string | undefined;

/** Every call says whose page this is: another tab may have signed in as someone else. */
export function showMember(id: string): void {
  memberId = id;
}

let refused: (error: ApiError) => void = () => {};

/** Any call may be the one that learns that the session has ended, or that the service is suspended. */
export function whenRefused(listener: (error: ApiError) => void): void {
  refused = listener;
}

/** The calls of this page carry the cookie of the member's session. */
export function startAccess(): void {
  registerAccess({
    credentials: 'same-origin',
    identify: () => ({
      headers: memberId === undefined ? {} : { 'X-Person': memberId },
      onRefused: (error) => refused(error),
      // The server serialises every response by the schema of its endpoint.
      read: (raw) => raw,
    }),
    onResponse: ({ headers }) => noteServerTime(headers.get('date')),
  });
}

/** A slow response looks like a clock that is off by as much. */
const TOLERANCE_MS = 30_000;

let behindMs = 0;

/** The slots are those of the server's clock, and the browser's may be wrong. */
export function noteServerTime(date: string | null): void {
  const differenceMs = Date.parse(date ?? '') - Date.now();
  behindMs = Math.abs(differenceMs) > TOLERANCE_MS ? differenceMs : 0;
}

/** The server's time, as far as it is known. */
export function serverNow(): number {
  return Date.now() + behindMs;
}
