import { MEDIA_TYPES, meMediaGet, meMediaUpload } from '@meridian/contract/me/posts';
import type { Media } from '@meridian/contract/me/posts';
import { NETWORK_LIMITS } from '@meridian/contract/network';
import { PLAN_LIMIT_DISPLAY_DEFAULTS } from '@meridian/contract/plan-limits';
import type { PlanLimits } from '@meridian/contract/plan-limits';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { randomBytes } from 'node:crypto';
import type { Readable } from 'node:stream';
import { uuidV7 } from '../../db/columns.ts';
import type { Database, Db } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import { readBody } from '../../http/bodies.ts';
import { AppError } from '../../http/errors.ts';
import { createConcurrencyLimit } from '../../http/limits.ts';
import { isUuid, registerMember } from '../../http/register.ts';
import { ObjectStoreError } from '../../objects/objects.ts';
import type { ObjectStore } from '../../objects/objects.ts';
import { bytesOf, limitReached, limitsOf } from './member-limits.ts';
import { readPictureFile } from './picture-file.ts';
import type { MediaType, PictureFile } from './picture-file.ts';

const CACHED = 'private, max-age=31536000, immutable';

export function mediaRoutes(app: FastifyInstance, { media }: { media: MediaService }): void {
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
const RECEIVED_PER_MEMBER = 4;

function acceptPictures(scope: FastifyInstance): void {
  const limit = createConcurrencyLimit(RECEIVED_AT_ONCE);
  const receiving = new Map<string, number>();

  async function receive({ headers, member }: FastifyRequest, body: Readable): Promise<Buffer> {
    const { imageBytes } = NETWORK_LIMITS;
    if (Number(headers['content-length']) > imageBytes) throw new AppError('media_too_large');
    const userId = member?.userId ?? '';
    const others = receiving.get(userId) ?? 0;
    if (others >= RECEIVED_PER_MEMBER) throw new AppError('media_busy', { retryAfterSeconds: 2 });
    receiving.set(userId, others + 1);
    try {
      return await limit.run(() => readBody(body, imageBytes, 'media_too_large'));
    } finally {
      const left = (receiving.get(userId) ?? 1) - 1;
      if (left > 0) receiving.set(userId, left);
      else receiving.delete(userId);
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

export type MediaService = ReturnType<typeof createMediaService>;

const EXTENSIONS: Record<MediaType, string> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/webp': 'webp',
};

export function createMediaService({ db, objects }: { db: Database; objects: ObjectStore }) {
  return {
    async save(userId: string, sent: Buffer, declared: string | null): Promise<Media> {
      const limits = await limitsOf(db, userId);
      requireAllowedSize(limits, sent.length);
      const { bytes, ...file } = readPictureFile(sent);
      if (declared !== null && declared !== file.mimeType) {
        const message = `The file is ${file.mimeType}, not ${declared}. Upload it as what it is`;
        throw new AppError('media_type_refused', { message });
      }
      const key = `media/${randomBytes(24).toString('hex')}.${EXTENSIONS[file.mimeType]}`;
      const media = { ...file, id: uuidV7(), key, bytes: bytes.length };
      await reserve(userId, media, limits);
      await objects.put(key, bytes).catch(async (error: unknown) => {
        await db.execute(sql`delete from media where id = ${media.id}`);
        refuse(error);
      });
      return shownMedia(media);
    },

    async load(userId: string, id: string): Promise<{ bytes: Uint8Array; mimeType: MediaType }> {
      const [media] = isUuid(id) ? await findMedia(db, userId, { ids: [id] }) : [];
      const object = media && (await objects.get(media.key).catch(refuse));
      if (!media || !object) throw new AppError('media_not_found');
      return { bytes: object.bytes, mimeType: media.mimeType };
    },
  };

  /** The row comes before the object: what a crash leaves of it is deleted as unused. */
  async function reserve(userId: string, media: MediaRow, limits: PlanLimits): Promise<void> {
    const storageMb = Number(limits['storage_mb'] ?? -1);
    await db.transaction(async (tx) => {
      // The lock on the storage makes uploads come one after the other until the transaction ends.
      const { bytes } = await tx.one<{ bytes: number }>(sql`
        insert into media_usage as u (user_id) values (${userId})
        on conflict (user_id) do update set bytes = u.bytes returning bytes`);
      const used = bytes + media.bytes;
      const allowed = storageMb < 0 ? Infinity : bytesOf(storageMb);
      if (used > allowed) throw limitReached({ name: 'storage_mb', allowed, used, endsAt: null });
      await tx.execute(sql`
        insert into media (id, user_id, object_key, mime_type, bytes, width, height)
        values (${media.id}, ${userId}, ${media.key}, ${media.mimeType}, ${media.bytes}, ${media.width},
          ${media.height})`);
    });
  }
}

function requireAllowedSize(limits: PlanLimits, used: number): void {
  const { max_image_size_mb: defaultMb } = PLAN_LIMIT_DISPLAY_DEFAULTS;
  const allowed = bytesOf(Number(limits['max_image_size_mb'] ?? defaultMb));
  if (used <= allowed) return;
  throw limitReached({ name: 'max_image_size_mb', allowed, used, endsAt: null });
}

export function shownMedia({ id, mimeType, width, height, bytes }: MediaRow): Media {
  return { id, url: meMediaGet.path.replace('{id}', id), mimeType, width, height, bytes };
}

function refuse(error: unknown): never {
  if (!(error instanceof ObjectStoreError)) throw error;
  throw new AppError('unavailable', { cause: error, retryAfterSeconds: 2 });
}

export type MediaRow = PictureFile & { id: string; key: string; bytes: number };

export async function findMedia(
  db: Db,
  userId: string,
  named: { ids: readonly string[] } | { keys: readonly string[] },
): Promise<MediaRow[]> {
  const isNamed =
    'ids' in named
      ? sql`id = any(${named.ids}::uuid[])`
      : sql`object_key = any(${named.keys}::text[])`;
  return db.many<MediaRow>(sql`
    select id, object_key as key, mime_type as "mimeType", width, height, bytes
    from media where user_id = ${userId} and ${isNamed}`);
}

export async function lockMedia(tx: Db, userId: string, ids: readonly string[]): Promise<number> {
  return tx.execute(sql`
    select from media where user_id = ${userId} and id = any(${ids}::uuid[])
    order by id for key share`);
}
