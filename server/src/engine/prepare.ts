import type { Cause } from '@meridian/contract/cause-words';
import type { CauseFacts } from '@meridian/contract/causes';
import { NETWORK_LIMITS } from '@meridian/contract/network';
import { isDid, propertyOf } from '@meridian/contract/untrusted';
import { pictureTypeOf } from '../features/pictures/picture-type.ts';
import { cidOfBlob, cidOfRecord, recordKey } from '../network/identity.ts';
import { POST_COLLECTION, postUri } from '../network/network.ts';
import type { Account, BlobRef, Network, RecordWrite } from '../network/network.ts';
import { ObjectStoreError, ObjectTooLargeError, isObjectKey } from '../objects/objects.ts';
import type { ObjectStore } from '../objects/objects.ts';
import type { ClaimedPost, ThreadPart } from './claim.ts';
import { ruleFor } from './outcome.ts';
import { buildRecord, invalid, readEmbed, Unprepared } from './record.ts';
import type { Reply, StrongRef } from './record.ts';

export type Prepared =
  /** The uploads come first, then the writes in one call. */
  { kind: 'ready'; writes: RecordWrite[]; uploads: Upload[] } | NotPrepared;
export type NotPrepared =
  | { kind: 'failed'; cause: Cause; facts: CauseFacts }
  | { kind: 'retry'; cause: Cause; facts: CauseFacts; error?: unknown };

type Surroundings = {
  network: Pick<Network, 'getRecord'>;
  objects: Objects;
  account: Account;
  now: number;
};

/** A post sent within this time of its schedule carries the scheduled time. */
const ON_TIME_MS = 60_000;

export async function prepare(post: ClaimedPost, around: Surroundings): Promise<Prepared> {
  try {
    return { kind: 'ready', ...(await prepared(post, around)) };
  } catch (error) {
    if (!(error instanceof Unprepared)) throw error;
    const { kind, reason: cause, facts } = error;
    return error.cause === undefined
      ? { kind, cause, facts }
      : { kind, cause, facts, error: error.cause };
  }
}

async function prepared(post: ClaimedPost, around: Surroundings) {
  const { account, now } = around;
  const references = createReferences(around.network, account);
  const scheduledAt = post.scheduledAt.getTime();
  const createdAt = Math.abs(now - scheduledAt) <= ON_TIME_MS ? scheduledAt : now;
  const writes: RecordWrite[] = [];
  const uploads = new Map<string, Upload>();
  let reply: Reply | null = post.replyTo === null ? null : await references.reply(post.replyTo);

  for (const [index, part] of [post, ...(post.thread ?? []).map(threadPart)].entries()) {
    const parts = await partsOf(part, around.objects, references);
    for (const { upload } of parts.blobs) if (upload !== null) uploads.set(upload.cid, upload);
    const record = buildRecord(part, {
      ...parts,
      reply,
      // Readers sort by this time, so each part of a thread has its own.
      createdAt: new Date(createdAt + index),
    });
    const rkey = recordKey(post.id, index);
    const cid = cidOfRecord(record);
    writes.push({ rkey, cid, record });
    const own: StrongRef = { uri: postUri(account.did, rkey), cid };
    reply = { root: reply?.root ?? own, parent: own };
  }
  return { writes, uploads: [...uploads.values()] };
}

/** The column is written by other programs: the database checks only that it is a list. */
function threadPart(part: unknown): ThreadPart {
  const [content, languages] = [propertyOf(part, 'content'), propertyOf(part, 'languages')];
  if (typeof content !== 'string') throw invalid('A post of the thread has no text');
  const tags = Array.isArray(languages) ? languages.filter((tag) => typeof tag === 'string') : [];
  const [facets, embed] = [propertyOf(part, 'facets'), propertyOf(part, 'embed')];
  return { content, facets, embed, languages: tags };
}

async function partsOf(
  { embed: stored }: ThreadPart,
  objects: Objects,
  references: ReturnType<typeof createReferences>,
) {
  const embed = readEmbed(stored);
  const images = await Promise.all(embed.images.map(({ picture }) => loadImage(picture, objects)));
  const thumb: Blob | null =
    embed.external === null || embed.external.thumb === null
      ? null
      : await loadThumb(embed.external.thumb, objects);
  const quote = embed.quote === null ? null : await references.quote(embed.quote);
  return {
    embed,
    images: images.map(({ ref }) => ref),
    thumb: thumb?.ref ?? null,
    quote,
    blobs: thumb === null ? images : [...images, thumb],
  };
}

type Found = StrongRef & { value: unknown };

/** `InvalidRequest` is what the network says of a repository that was deleted, deactivated or taken down. */
const GONE = new Set([
  'RecordNotFound',
  'RepoNotFound',
  'RepoTakendown',
  'RepoDeactivated',
  'InvalidRequest',
]);
const CID = /^b[a-z2-7]{20,120}$/u;

/** Hosts respond with addresses too: the journal takes no NUL and no half of a surrogate pair. */
const ADDRESS = new RegExp(
  `^at://([a-zA-Z0-9._:%-]+)/${POST_COLLECTION.replaceAll('.', '\\.')}/([a-zA-Z0-9_~.:-]{1,512})$`,
  'u',
);

function createReferences(network: Pick<Network, 'getRecord'>, { host }: Account) {
  const find = async (uri: string): Promise<Found> => {
    const { repo, rkey } = addressOf(uri);
    const response = await network.getRecord(host, repo, rkey);
    if (response.kind === 'response') {
      const cid = propertyOf(response.body, 'cid');
      if (response.status === 200 && isCid(cid)) {
        return { uri, cid, value: propertyOf(response.body, 'value') };
      }
      if (response.status < 500 && GONE.has(response.error ?? '')) {
        throw new Unprepared('failed', 'parent_gone', { uri });
      }
    }
    const { rule, facts } = ruleFor(response, 'getRecord');
    const isPassing = rule.action === 'backoff' || rule.action === 'limited';
    throw new Unprepared('retry', isPassing ? rule.cause : 'host_down', { host, ...facts });
  };

  return {
    async quote(uri: string): Promise<StrongRef> {
      const { cid } = await find(uri);
      return { uri, cid };
    },

    async reply(uri: string): Promise<Reply> {
      const { cid, value } = await find(uri);
      const parent = { uri, cid };
      const root = propertyOf(propertyOf(value, 'reply'), 'root');
      return { root: strongRefOf(root) ?? parent, parent };
    },
  };
}

function addressOf(uri: string): { repo: string; rkey: string } {
  const [, repo, rkey] = ADDRESS.exec(uri) ?? [];
  if (!isDid(repo) || rkey === undefined) {
    throw invalid('What it replies to or quotes is not the address of a post');
  }
  return { repo, rkey };
}

function isCid(value: unknown): value is string {
  return typeof value === 'string' && CID.test(value);
}

function strongRefOf(value: unknown): StrongRef | null {
  const uri = propertyOf(value, 'uri');
  const cid = propertyOf(value, 'cid');
  return typeof uri === 'string' && ADDRESS.test(uri) && isCid(cid) ? { uri, cid } : null;
}

export type Upload = { bytes: Uint8Array; mimeType: string; cid: string };

type Blob = { ref: BlobRef; upload: Upload | null };

const { imageBytes, thumbBytes } = NETWORK_LIMITS;
const BLOB_CID = /^b[a-z2-7]{58}$/u;

type Objects = Pick<ObjectStore, 'get'>;
const loadImage = (picture: unknown, objects: Objects) => loadBlob(picture, objects, imageBytes);
const loadThumb = (picture: unknown, objects: Objects) => loadBlob(picture, objects, thumbBytes);

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
