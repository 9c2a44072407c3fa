import { randomBytes } from 'node:crypto';
import type { Media } from '@meridian/contract/me/posts';
import { meMediaGet } from '@meridian/contract/me/posts';
import { PLAN_LIMIT_DISPLAY_DEFAULTS } from '@meridian/contract/plan-limits';
import type { PlanLimits } from '@meridian/contract/plan-limits';
import type { Database } from '../../db/database.ts';
import { uuidV7 } from '../../db/uuid-v7.ts';
import { AppError } from '../../http/app-error.ts';
import { isUuid } from '../../http/uuid.ts';
import { ObjectStoreError } from '../../objects/errors.ts';
import type { ObjectStore } from '../../objects/object-store.ts';
import { bytesOf, limitReached, limitsOf } from './limit-reached.ts';
import * as store from './media.store.ts';
import type { MediaRow } from './media.store.ts';
import { readPictureFile } from './picture-file.ts';
import type { MediaType } from './picture-file.ts';

export type MediaService = ReturnType<typeof createMediaService>;

const EXTENSIONS: Record<MediaType, string> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/webp': 'webp',
};

export function createMediaService({ db, objects }: { db: Database; objects: ObjectStore }) {
  return {
    /** `declared` is what the client calls it; null when there is no such word. */
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
      try {
        await objects.put(key, bytes);
      } catch (error) {
        await store.deleteMedia(db, media.id);
        throw unavailable(error);
      }
      return shownMedia(media);
    },

    async load(userId: string, id: string): Promise<{ bytes: Uint8Array; mimeType: MediaType }> {
      const [media] = isUuid(id) ? await store.findMedia(db, userId, [id]) : [];
      const object = media && (await objects.get(media.key).catch(rethrowUnavailable));
      if (!media || !object) throw new AppError('media_not_found');
      return { bytes: object.bytes, mimeType: media.mimeType };
    },
  };

  /** The row comes before the object: what a crash leaves of it is deleted as unused. */
  async function reserve(userId: string, media: MediaRow, limits: PlanLimits): Promise<void> {
    const storageMb = Number(limits['storage_mb'] ?? -1);
    await db.transaction(async (tx) => {
      const used = (await store.lockStorageUsed(tx, userId)) + media.bytes;
      const allowed = storageMb < 0 ? Infinity : bytesOf(storageMb);
      if (used > allowed) throw limitReached({ name: 'storage_mb', allowed, used, endsAt: null });
      await store.insertMedia(tx, userId, media);
    });
  }
}

/** Of the file as it was sent, before anything is read of it. */
function requireAllowedSize(limits: PlanLimits, used: number): void {
  const { max_image_size_mb: defaultMb } = PLAN_LIMIT_DISPLAY_DEFAULTS;
  const allowed = bytesOf(Number(limits['max_image_size_mb'] ?? defaultMb));
  if (used <= allowed) return;
  throw limitReached({ name: 'max_image_size_mb', allowed, used, endsAt: null });
}

export function shownMedia({ id, mimeType, width, height, bytes }: MediaRow): Media {
  return { id, url: meMediaGet.path.replace('{id}', id), mimeType, width, height, bytes };
}

function rethrowUnavailable(error: unknown): never {
  throw unavailable(error);
}

function unavailable(error: unknown): unknown {
  return error instanceof ObjectStoreError
    ? new AppError('unavailable', { cause: error, retryAfterSeconds: 2 })
    : error;
}
