import {
  authLogin,
  authLogout,
  authMe,
  authPassword,
  passwordBodyOf,
} from '@meridian/contract/auth';
import type { FastifyInstance } from 'fastify';
import type { Context } from '../../context.ts';
import { register, registerPublic } from '../../http/register.ts';

export function publicAuthRoutes(app: FastifyInstance, { auth }: Context): void {
  registerPublic(app, authLogin, ({ body, request }) =>
    auth.login(body, { address: request.ip, requestId: request.id }),
  );
}

export function authRoutes(app: FastifyInstance, context: Context): void {
  const { auth, config } = context;

  register(app, authMe, async ({ actor }) => ({
    username: actor.username,
    displayName: actor.displayName,
    features: [...context.announcedFeatures],
  }));

  const passwordChange = { ...authPassword, body: passwordBodyOf(config.passwordMinLength) };
  register(app, passwordChange, async ({ actor, body }) => {
    await auth.changePassword(actor, body);
    return { success: true } as const;
  });

  register(app, authLogout, async ({ actor }) => {
    await auth.logout(actor);
    return { success: true } as const;
  });
}
