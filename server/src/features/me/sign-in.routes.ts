import { meSignIn } from '@meridian/contract/me/account';
import type { FastifyInstance } from 'fastify';
import type { Context } from '../../context.ts';
import { networkOf } from '../../http/client-network.ts';
import { registerPublic } from '../../http/register.ts';
import { CALLBACK_PATH } from '../../network/connector.ts';
import {
  clearSignInCookie,
  memberToken,
  setMemberCookie,
  setSignInCookie,
  signInState,
} from './member-cookie.ts';
import { sessionIdOf } from './member-sessions.service.ts';
import { SESSION_SECONDS } from './member-sessions.store.ts';
import { SIGN_IN_SECONDS } from './sign-in.store.ts';

/** The page of the people who schedule. */
const HOME = '/me';

export function signInRoutes(app: FastifyInstance, { signIn, memberSessions }: Context): void {
  registerPublic(app, meSignIn, async ({ body, request, reply }) => {
    const { redirectTo, state } = await signIn.begin(body, networkOf(request.ip));
    setSignInCookie(reply, state, SIGN_IN_SECONDS);
    return { redirectTo };
  });

  app.get(CALLBACK_PATH, async (request, reply) => {
    const [, query] = request.url.split('?', 2);
    const result = await signIn.finish(new URLSearchParams(query), signInState(request));
    clearSignInCookie(reply);
    if ('error' in result) return reply.redirect(`${HOME}?error=${result.error}`);
    const before = memberToken(request);
    if (before !== null) await memberSessions.end(sessionIdOf(before));
    setMemberCookie(reply, result.token, SESSION_SECONDS);
    return reply.redirect(HOME);
  });
}
