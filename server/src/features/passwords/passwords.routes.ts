import { authPassword, passwordBodyOf } from '@meridian/contract/auth';
import type { FastifyInstance } from 'fastify';
import type { Context } from '../../context.ts';
import { register } from '../../http/register.ts';

export function passwordsRoutes(app: FastifyInstance, { config, passwords }: Context): void {
  const endpoint = { ...authPassword, body: passwordBodyOf(config.passwordMinLength) };
  register(app, endpoint, async ({ actor, body }) => {
    await passwords.change(actor, body);
    return { success: true } as const;
  });
}
