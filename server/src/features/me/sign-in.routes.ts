import { meSignIn, meSignInResult } from '@meridian/contract/me/account';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from '../../services.ts';
import { AppError, invalidField } from '../../http/errors.ts';
import { networkOf } from '../../http/guards.ts';
import { registerPublic } from '../../http/register.ts';
import { CALLBACK_PATH } from '../../network/network.ts';
import type { LiveToken } from '../api-tokens/api-tokens.store.ts';
import { tokenOfHeader } from '../sessions/sessions.service.ts';
import {
  SESSION_SECONDS,
  clearSignInCookie,
  memberToken,
  sessionIdOf,
  setMemberCookie,
  setSignInCookie,
  signInState,
} from './member-sessions.ts';
import type { SignedIn } from './sign-in.service.ts';
import { SIGN_IN_SECONDS } from './sign-in.store.ts';

/** The page of the people who schedule. */
const HOME = '/me';
/** The browser of a service's member begins here. */
const CONTINUE_PATH = '/api/me/sign-in/continue';
const WITHOUT_RETURN =
  'Send returnTo, the address at an origin of this API token to which the browser comes back';

export function signInRoutes(
  app: FastifyInstance,
  { signIn, memberSessions, apiTokens, config }: Context,
): void {
  /** A service that acts for its members. */
  async function serviceOf({ headers, routeOptions }: FastifyRequest): Promise<LiveToken> {
    const token = tokenOfHeader(headers.authorization, 'mer');
    if (token === null) throw new AppError('unauthenticated', { message: 'Send an API token' });
    const service = await apiTokens.authenticate(token, routeOptions.config.endpoint);
    if (service.admin_id === null) throw new AppError('session_required');
    return service;
  }

  registerPublic(app, meSignIn, async ({ body, request, reply }) => {
    const network = networkOf(request.ip);
    const isOfProgram = /^bearer mer_/i.test(request.headers.authorization ?? '');
    if (body.returnTo === undefined && !isOfProgram) {
      const { redirectTo, state } = await signIn.begin(body, network);
      setSignInCookie(reply, state, SIGN_IN_SECONDS);
      return { redirectTo };
    }
    const { id, origins } = await serviceOf(request);
    if (body.returnTo === undefined) throw invalidField('returnTo', WITHOUT_RETURN);
    const returnTo = URL.parse(body.returnTo);
    if (returnTo === null || !origins.includes(returnTo.origin)) {
      throw invalidField('returnTo', 'Return address must be at an origin of this API token');
    }
    const service = { tokenId: id, returnTo: returnTo.href };
    const { state } = await signIn.begin(body, network, service);
    const here = config.publicUrl ?? `${request.protocol}://${request.host}`;
    return { redirectTo: `${here}${CONTINUE_PATH}?state=${state}`, signInId: state };
  });

  registerPublic(app, meSignInResult, async ({ body, request }) => {
    const { id } = await serviceOf(request);
    return signIn.result(id, body);
  });

  app.get<{ Querystring: { state?: unknown } }>(CONTINUE_PATH, async ({ query }, reply) => {
    const { state } = query;
    const address = typeof state === 'string' ? await signIn.consentAddress(state) : null;
    if (typeof state !== 'string' || address === null) {
      return reply.redirect(`${HOME}?error=expired`);
    }
    setSignInCookie(reply, state, SIGN_IN_SECONDS);
    return reply.redirect(address);
  });

  app.get(CALLBACK_PATH, async (request, reply) => {
    const [, query] = request.url.split('?', 2);
    const result = await signIn.finish(new URLSearchParams(query), signInState(request));
    clearSignInCookie(reply);
    if (result.returnTo !== null) return returnToService(reply, result.returnTo, result);
    if ('error' in result) return reply.redirect(`${HOME}?error=${result.error}`);
    if (!('token' in result)) throw new Error('A sign-in without a service has a session');
    const before = memberToken(request);
    if (before !== null) await memberSessions.end(sessionIdOf(before));
    setMemberCookie(reply, result.token, SESSION_SECONDS);
    return reply.redirect(HOME);
  });
}

/** A refresh, because a redirect that follows the form of a consent page may not leave for another origin. */
function returnToService(reply: FastifyReply, address: string, result: SignedIn): FastifyReply {
  const url = new URL(address);
  if ('error' in result) url.searchParams.set('error', result.error);
  if ('code' in result) url.searchParams.set('code', result.code);
  return reply.header('refresh', `0;url=${url.href}`).type('text/plain').send('');
}
