import { NETWORK_LIMITS } from '@meridian/contract/network';
import { propertyOf } from '@meridian/contract/untrusted';
import { pictureTypeOf } from '../features/pictures/picture-type.ts';
import { cidOfBlob } from '../network/identifiers.ts';
import type { BlobRef } from '../network/network.ts';
import { ObjectStoreError, ObjectTooLargeError } from '../objects/errors.ts';
import { isObjectKey } from '../objects/object-key.ts';
import type { ObjectStore } from '../objects/object-store.ts';
import { Unprepared } from './unprepared.ts';

/** A picture to be uploaded before its record is written. */
export type Upload = { bytes: Uint8Array; mimeType: string; cid: string };

export type Blob = { ref: BlobRef; upload: Upload | null };

const { imageBytes, thumbBytes } = NETWORK_LIMITS;
const BLOB_CID = /^b[a-z2-7]{58}$/u;

export type Objects = Pick<ObjectStore, 'get'>;
export const loadImage = (picture: unknown, objects: Objects) =>
  loadBlob(picture, objects, imageBytes);
export const loadThumb = (picture: unknown, objects: Objects) =>
  loadBlob(picture, objects, thumbBytes);

/** A blob reference stays as it is; a key is read from the object store. */
async function loadBlob(picture: unknown, objects: Objects, maxBytes: number): Promise<Blob> {
  const known = blobRefOf(picture);
  if (known !== null) {
    if (known.size > maxBytes) throw tooLarge(known.ref.$link, maxBytes);
    return { ref: known, upload: null };
  }
  const key = typeof picture === 'string' ? picture : propertyOf(picture, 'key');
  if (typeof key !== 'string' || !isObjectKey(key)) {
    throw new Unprepared('failed', 'media_missing', { key: typeof key === 'string' ? key : null });
  }
  const bytes = await read(key, objects, maxBytes);
  const mimeType = pictureTypeOf(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  if (mimeType === null) throw new Unprepared('failed', 'image_type', { key });
  const cid = cidOfBlob(bytes);
  const ref: BlobRef = { $type: 'blob', ref: { $link: cid }, mimeType, size: bytes.length };
  return { ref, upload: { bytes, mimeType, cid } };
}

async function read(key: string, objects: Objects, maxBytes: number): Promise<Uint8Array> {
  const object = await objects.get(key, maxBytes).catch((error: unknown) => {
    if (error instanceof ObjectTooLargeError) throw tooLarge(key, maxBytes);
    // The store itself does not respond: that passes.
    if (error instanceof ObjectStoreError) {
      throw new Unprepared('retry', 'internal', {}, { cause: error });
    }
    throw error;
  });
  if (object === null) throw new Unprepared('failed', 'media_missing', { key });
  return object.bytes;
}

const tooLarge = (key: string, limit: number) =>
  new Unprepared('failed', 'image_too_large', { key, limit });

function blobRefOf(picture: unknown): BlobRef | null {
  const $link = propertyOf(propertyOf(picture, 'ref'), '$link');
  const mimeType = propertyOf(picture, 'mimeType');
  const size = propertyOf(picture, 'size');
  if (propertyOf(picture, '$type') !== 'blob' || typeof mimeType !== 'string') return null;
  if (!/^image\/[\w.+-]{1,60}$/u.test(mimeType)) throw new Unprepared('failed', 'image_type');
  if (typeof $link !== 'string' || !BLOB_CID.test($link)) return null;
  if (!Number.isSafeInteger(size) || Number(size) <= 0) return null;
  return { $type: 'blob', ref: { $link }, mimeType, size: Number(size) };
}
