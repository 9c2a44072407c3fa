import type { Cause } from '@meridian/contract/cause-words';
import type { CauseFacts } from '@meridian/contract/causes';
import { facetsOf } from '@meridian/contract/facets';
import { NETWORK_LIMITS, countGraphemes } from '@meridian/contract/network';
import {
  hasVideo,
  linkCardIn,
  mediaIn,
  picturesIn,
  propertyOf,
  safeLink,
} from '@meridian/contract/untrusted';
import { POST_COLLECTION } from '../network/network.ts';
import type { BlobRef, PostRecord } from '../network/network.ts';
import type { ThreadPart } from './claim.ts';

export class Unprepared extends Error {
  readonly kind: 'failed' | 'retry';
  readonly reason: Cause;
  readonly facts: CauseFacts;

  constructor(
    kind: 'failed' | 'retry',
    reason: Cause,
    facts: CauseFacts = {},
    options?: ErrorOptions,
  ) {
    super(reason, options);
    this.name = 'Unprepared';
    this.kind = kind;
    this.reason = reason;
    this.facts = facts;
  }
}

export function invalid(reason: string): Unprepared {
  return new Unprepared('failed', 'invalid_record', { reason });
}

/** `picture` is unchecked: it is a blob reference, or a key of the object store. */
type Image = { picture: unknown; alt: string; aspectRatio: AspectRatio | null };
type AspectRatio = { width: number; height: number };
type External = {
  card: { uri: string; title: string; description: string };
  thumb: unknown;
};

export type Embed = {
  images: Image[];
  external: External | null;
  quote: string | null;
  labels: string[];
};

const LABELS_MAX = 10;
const LABEL_MAX_BYTES = 128;

export function readEmbed(embed: unknown): Embed {
  const media = mediaIn(embed);
  const type = textOf(propertyOf(media, '$type'));
  const images = picturesIn(embed);
  const external = linkCardIn(media) ?? null;
  const quoted = propertyOf(embed, 'record');
  if (hasVideo(embed)) throw invalid('Video is not available yet');
  // A post without its pictures or card would not be the one that its author wrote.
  if (images !== null && !Array.isArray(images)) throw invalid('Its pictures are not a list');
  if (external !== null && !isObject(external)) throw invalid('Its link card is not readable');
  if (type !== '' && images === null && external === null && quoted === undefined) {
    throw invalid(`The embed ${type} is not supported`);
  }
  return {
    images: imagesOf(images ?? []),
    external: external === null ? null : externalOf(external),
    quote: quoted === undefined ? null : quotedUri(quoted),
    labels: labelsOf(propertyOf(embed, 'labels')),
  };
}

function imagesOf(images: unknown[]): Image[] {
  if (images.length > NETWORK_LIMITS.images) {
    const facts = { count: images.length, limit: NETWORK_LIMITS.images };
    throw new Unprepared('failed', 'too_many_images', facts);
  }
  return images.map((image) => ({
    picture: propertyOf(image, 'image') ?? image,
    alt: textOf(propertyOf(image, 'alt')),
    aspectRatio: aspectRatioOf(propertyOf(image, 'aspectRatio')),
  }));
}

function aspectRatioOf(value: unknown): AspectRatio | null {
  const width = propertyOf(value, 'width');
  const height = propertyOf(value, 'height');
  return isLength(width) && isLength(height) ? { width, height } : null;
}

function isLength(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) > 0;
}

function externalOf(external: object): External {
  const url = safeLink(propertyOf(external, 'uri'));
  if (url === null) throw invalid('The address of the link card is not a web address');
  return {
    card: {
      uri: url.href,
      title: textOf(propertyOf(external, 'title')),
      description: textOf(propertyOf(external, 'description')),
    },
    thumb: propertyOf(external, 'thumb') ?? null,
  };
}

/** A quote with media wraps the record once more. */
function quotedUri(quoted: unknown): string {
  const uri = propertyOf(quoted, 'uri') ?? propertyOf(propertyOf(quoted, 'record'), 'uri');
  if (typeof uri !== 'string') throw invalid('The quoted post has no address');
  return uri;
}

/** Labels are stored as words, or as the network's own `{ values: [{ val }] }`. */
function labelsOf(labels: unknown): string[] {
  const values = Array.isArray(labels) ? labels : propertyOf(labels, 'values');
  if (!Array.isArray(values)) return [];
  return values
    .map((label: unknown) => textOf(typeof label === 'string' ? label : propertyOf(label, 'val')))
    .filter((word) => word !== '' && Buffer.byteLength(word) <= LABEL_MAX_BYTES)
    .slice(0, LABELS_MAX);
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value.toWellFormed() : '';
}

export type StrongRef = { uri: string; cid: string };
export type Reply = { root: StrongRef; parent: StrongRef };

export type RecordParts = {
  createdAt: Date;
  embed: Embed;
  images: BlobRef[];
  thumb: BlobRef | null;
  quote: StrongRef | null;
  reply: Reply | null;
};

export function buildRecord(
  { content, facets, languages = [] }: ThreadPart,
  { createdAt, reply, ...parts }: RecordParts,
): PostRecord {
  const text = content.toWellFormed();
  assertLength(text);
  const ranges = facetsOf(text, facets).ranges.map(({ start, end, feature }) => ({
    $type: 'app.bsky.richtext.facet',
    index: { byteStart: start, byteEnd: end },
    features: [feature],
  }));
  const langs = languagesOf(languages);
  const embed = embedOf(parts);
  const { labels } = parts.embed;
  return {
    $type: POST_COLLECTION,
    text,
    ...(ranges.length > 0 && { facets: ranges }),
    ...(langs.length > 0 && { langs }),
    ...(embed !== null && { embed }),
    ...(reply !== null && { reply }),
    ...(labels.length > 0 && { labels: selfLabels(labels) }),
    createdAt: createdAt.toISOString(),
  };
}

function assertLength(text: string): void {
  const { characters, textBytes } = NETWORK_LIMITS;
  const lengths = [
    { count: countGraphemes(text), unit: 'characters', limit: characters },
    { count: Buffer.byteLength(text), unit: 'bytes', limit: textBytes },
  ];
  const tooLong = lengths.find(({ count, limit }) => count > limit);
  if (tooLong !== undefined) throw new Unprepared('failed', 'too_long', tooLong);
}

/** Languages that the network does not take are left out; the post is not refused for them. */
function languagesOf(languages: readonly string[]): string[] {
  return [...new Set(languages.filter(isLanguage))].slice(0, NETWORK_LIMITS.languages);
}

function isLanguage(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length === 1;
  } catch {
    return false;
  }
}

function embedOf({ embed, images, thumb, quote }: Omit<RecordParts, 'createdAt' | 'reply'>) {
  const media =
    images.length > 0
      ? { $type: 'app.bsky.embed.images', images: embed.images.map(imageWith(images)) }
      : embed.external && {
          $type: 'app.bsky.embed.external',
          external: { ...embed.external.card, ...(thumb !== null && { thumb }) },
        };
  if (quote === null) return media;
  const record = { $type: 'app.bsky.embed.record', record: quote };
  return media === null ? record : { $type: 'app.bsky.embed.recordWithMedia', record, media };
}

const imageWith = (blobs: BlobRef[]) => (image: Embed['images'][number], index: number) => ({
  image: blobs[index],
  alt: image.alt,
  ...(image.aspectRatio !== null && { aspectRatio: image.aspectRatio }),
});

function selfLabels(labels: string[]) {
  return {
    $type: 'com.atproto.label.defs#selfLabels',
    values: labels.map((val) => ({ val })),
  };
}
