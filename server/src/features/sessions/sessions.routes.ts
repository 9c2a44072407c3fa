import { authLogin, authLogout, authMe } from '@meridian/contract/auth';
import type { FastifyInstance } from 'fastify';
import type { Context } from '../../services.ts';
import { register, registerPublic } from '../../http/register.ts';
import { readVersion } from '../../version.ts';

export function publicSessionsRoutes(app: FastifyInstance, { sessions }: Context): void {
  registerPublic(app, authLogin, ({ body, request }) =>
    sessions.signIn(body, { address: request.ip, requestId: request.id }),
  );
}

export function sessionsRoutes(app: FastifyInstance, context: Context): void {
  const version = readVersion();
  register(app, authMe, async ({ actor }) => ({
    username: actor.username,
    displayName: actor.displayName,
    meridian: await version,
    eventId: await context.events.pageEventId(),
  }));

  register(app, authLogout, async ({ actor }) => {
    await context.sessions.signOut(actor);
    return { success: true } as const;
  });
}
