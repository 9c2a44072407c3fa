import type { Readable } from 'node:stream';
import { MEDIA_TYPES, meMediaGet, meMediaUpload } from '@meridian/contract/me/posts';
import { NETWORK_LIMITS } from '@meridian/contract/network';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError } from '../../http/app-error.ts';
import { createConcurrencyLimit } from '../../http/concurrency-limit.ts';
import { readBody } from '../../http/read-body.ts';
import { registerMember } from '../../http/register.ts';
import type { MediaService } from './media.service.ts';

/** A person's picture never changes under its id. */
const CACHED = 'private, max-age=31536000, immutable';

export function mediaRoutes(app: FastifyInstance, media: MediaService): void {
  void app.register(async (scope) => {
    acceptPictures(scope);
    registerMember(scope, meMediaUpload, async ({ member, request, body }) => {
      const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
      return { media: await media.save(member.userId, bytes, declaredType(request)) };
    });
  });

  registerMember(app, meMediaGet, async ({ member, params, reply }) => {
    const { bytes, mimeType } = await media.load(member.userId, params.id);
    reply.type(mimeType).header('cache-control', CACHED);
    return Buffer.from(bytes);
  });
}

/** Pictures are held in memory while they arrive, which takes as long as the client likes. */
const RECEIVED_AT_ONCE = { atOnce: 32, queue: 32, waitMs: 5_000 };
const RECEIVED_PER_PERSON = 4;

function acceptPictures(scope: FastifyInstance): void {
  const limit = createConcurrencyLimit(RECEIVED_AT_ONCE);
  const receiving = new Map<string, number>();

  async function receive({ headers, member }: FastifyRequest, body: Readable): Promise<Buffer> {
    const { imageBytes } = NETWORK_LIMITS;
    // Without waiting for what would be too much anyway.
    if (Number(headers['content-length']) > imageBytes) throw new AppError('media_too_large');
    const person = member?.userId ?? '';
    const others = receiving.get(person) ?? 0;
    if (others >= RECEIVED_PER_PERSON) throw new AppError('media_busy', { retryAfterSeconds: 2 });
    receiving.set(person, others + 1);
    try {
      return await limit.run(() => readBody(body, imageBytes, 'media_too_large'));
    } finally {
      const left = (receiving.get(person) ?? 1) - 1;
      if (left > 0) receiving.set(person, left);
      else receiving.delete(person);
    }
  }

  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser([...MEDIA_TYPES], receive);
  scope.addContentTypeParser('*', async () => {
    throw new AppError('media_type_refused');
  });
}

const declaredType = ({ headers }: FastifyRequest) =>
  headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase() ?? null;
