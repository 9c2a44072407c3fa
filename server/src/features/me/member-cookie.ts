import { MEMBER_COOKIE } from '@meridian/contract/me/account';
import { parseCookie, stringifySetCookie } from 'cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** Binds a sign-in to the browser that began it. */
const SIGN_IN_COOKIE = '__Host-sign-in';

const TOKEN = /^[A-Za-z0-9_-]{43}$/;

/** The session token that the browser sent; null when there is none of our form. */
export const memberToken = (request: FastifyRequest) => tokenIn(request, MEMBER_COOKIE);
/** The state of the sign-in that this browser began last. */
export const signInState = (request: FastifyRequest) => tokenIn(request, SIGN_IN_COOKIE);

export function setMemberCookie(reply: FastifyReply, token: string, seconds: number): void {
  setCookie(reply, MEMBER_COOKIE, token, seconds);
}

export function setSignInCookie(reply: FastifyReply, state: string, seconds: number): void {
  setCookie(reply, SIGN_IN_COOKIE, state, seconds);
}

export const clearMemberCookie = (reply: FastifyReply) => setCookie(reply, MEMBER_COOKIE, '', 0);
export const clearSignInCookie = (reply: FastifyReply) => setCookie(reply, SIGN_IN_COOKIE, '', 0);

function tokenIn({ headers }: FastifyRequest, name: string): string | null {
  const value = parseCookie(headers.cookie ?? '')[name];
  return value !== undefined && TOKEN.test(value) ? value : null;
}

/** Lax, because the browser comes back from the account's host by a link. */
function setCookie(reply: FastifyReply, name: string, value: string, maxAge: number): void {
  const cookie = { name, value, maxAge, path: '/', secure: true, httpOnly: true } as const;
  reply.header('set-cookie', stringifySetCookie({ ...cookie, sameSite: 'lax' }));
}
