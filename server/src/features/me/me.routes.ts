import { meDelete, meDisconnect, meExport, meGet, meSignOut } from '@meridian/contract/me/account';
import type { FastifyInstance } from 'fastify';
import type { Context } from '../../context.ts';
import { registerMember } from '../../http/register.ts';
import { streamText } from '../../http/text-stream.ts';
import { clearMemberCookie } from './member-cookie.ts';

const EXPORT = {
  type: 'application/json; charset=utf-8',
  bufferBytes: 1024 * 1024,
  // Shorter than the database's idle_in_transaction_session_timeout.
  stallMs: 5_000,
  totalMs: 10 * 60_000,
};
const SUCCESS = { success: true } as const;

export function meRoutes(app: FastifyInstance, context: Context): void {
  const { me, memberSessions, accounts, memberExport, memberDeletion } = context;
  registerMember(app, meGet, ({ member }) => me.get(member.userId));

  registerMember(app, meSignOut, async ({ member, reply }) => {
    await memberSessions.end(member.sessionId);
    clearMemberCookie(reply);
    return SUCCESS;
  });

  registerMember(app, meDisconnect, async ({ member }) => {
    await accounts.disconnect(member.userId, null);
    const { account } = await me.get(member.userId);
    return { account };
  });

  registerMember(app, meExport, async ({ member, reply }) => {
    const stream = await streamText(reply, EXPORT, async (sink) => {
      await memberExport.write(member.userId, sink);
      return '\n}\n';
    });
    const day = new Date().toISOString().slice(0, 10);
    reply.header('content-disposition', `attachment; filename="my-data-${day}.json"`);
    return stream;
  });

  registerMember(
    app,
    meDelete,
    async ({ member, body, request, reply }) => {
      await memberDeletion.delete(member, body, request.id);
      clearMemberCookie(reply);
      return SUCCESS;
    },
    { timeoutMs: 60_000 },
  );
}
