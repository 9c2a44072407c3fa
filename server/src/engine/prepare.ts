import type { Cause } from '@meridian/contract/cause-words';
import type { CauseFacts } from '@meridian/contract/causes';
import { propertyOf } from '@meridian/contract/untrusted';
import { cidOfRecord, recordKey } from '../network/identifiers.ts';
import { postUri } from '../network/network.ts';
import type { Account, Network, RecordWrite } from '../network/network.ts';
import { loadImage, loadThumb } from './blobs.ts';
import type { Blob, Objects, Upload } from './blobs.ts';
import type { ClaimedPost, ThreadPart } from './claimed-post.ts';
import { readEmbed } from './embed.ts';
import { buildRecord } from './record.ts';
import type { Reply, StrongRef } from './record.ts';
import { createReferences } from './references.ts';
import { invalid, Unprepared } from './unprepared.ts';

export type Prepared =
  /** All uploads, then the writes in one call. */
  { kind: 'ready'; writes: RecordWrite[]; uploads: Upload[] } | NotPrepared;
export type NotPrepared =
  | { kind: 'failed'; cause: Cause; facts: CauseFacts }
  | { kind: 'retry'; cause: Cause; facts: CauseFacts; error?: unknown };

type Surroundings = {
  network: Pick<Network, 'getRecord'>;
  objects: Objects;
  account: Account;
  /** In milliseconds of the database's clock. */
  now: number;
};

/** A post sent within this time of its schedule carries the scheduled time. */
const ON_TIME_MS = 60_000;

/** Everything that is sent for a post: its records with their keys, and its pictures. */
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
      // Readers sort by it: a thread must not fall apart.
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
