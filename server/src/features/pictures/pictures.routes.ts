import { PICTURE_TIME_LIMIT_SECONDS, pictureLoad } from '@meridian/contract/pictures';
import type { FastifyInstance } from 'fastify';
import { register } from '../../http/register.ts';
import type { PicturesService } from './pictures.service.ts';

/** The fetch has its own limit, and after it a moment to say so. */
const TIMEOUT_MS = (PICTURE_TIME_LIMIT_SECONDS + 2) * 1000;

/** The other headers are those of all data: not stored, not sniffed, sandboxed, of this origin only. */
export function picturesRoutes(app: FastifyInstance, pictures: PicturesService): void {
  register(
    app,
    pictureLoad,
    async ({ query, reply }) => {
      const gone = new AbortController();
      reply.raw.once('close', () => gone.abort());
      const { type, bytes } = await pictures.load(query.url, gone.signal);
      reply.type(type).header('content-disposition', 'attachment');
      return bytes;
    },
    { timeoutMs: TIMEOUT_MS },
  );
}
