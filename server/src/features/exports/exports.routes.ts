import {
  currencyExport,
  EXPORT_TYPES,
  exportFileName,
  planExport,
  postExport,
  ticketExport,
  userExport,
} from '@meridian/contract/exports';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Context } from '../../context.ts';
import { register } from '../../http/register.ts';
import { streamText } from '../../http/text-stream.ts';
import type { StreamLimits, TextStream } from '../../http/text-stream.ts';
import { NOUNS } from '../nouns.ts';
import type { Export } from './exports.service.ts';

const LIMITS: StreamLimits = {
  bufferBytes: 64 * 1024,
  // Shorter than the database's idle_in_transaction_session_timeout.
  stallMs: 5_000,
  totalMs: 10 * 60_000,
};

export function exportsRoutes(app: FastifyInstance, { exports }: Context): void {
  async function send(reply: FastifyReply, wanted: Export): Promise<TextStream> {
    const { noun, format } = wanted;
    const stream = await streamText(
      reply,
      { ...LIMITS, type: EXPORT_TYPES[format] },
      async (sink) => {
        await exports.write(wanted, sink);
        return '';
      },
    );
    const name = exportFileName(noun, format, new Date());
    reply.header('content-disposition', `attachment; filename="${name}"`);
    return stream;
  }

  register(app, postExport, ({ query: { format, ...filter }, reply }) =>
    send(reply, { noun: 'posts', format, source: NOUNS.post.file(filter) }),
  );
  register(app, userExport, ({ query: { format, ...filter }, reply }) =>
    send(reply, { noun: 'users', format, source: NOUNS.user.file(filter) }),
  );
  register(app, ticketExport, ({ query: { format, ...filter }, reply }) =>
    send(reply, { noun: 'tickets', format, source: NOUNS.ticket.file(filter) }),
  );
  register(app, planExport, ({ query: { format }, reply }) =>
    send(reply, { noun: 'plans', format, source: NOUNS.plan.file() }),
  );
  register(app, currencyExport, ({ query: { format }, reply }) =>
    send(reply, { noun: 'currencies', format, source: NOUNS.currency.file() }),
  );
}
