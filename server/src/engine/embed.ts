import { NETWORK_LIMITS } from '@meridian/contract/network';
import {
  hasVideo,
  linkCardIn,
  mediaIn,
  picturesIn,
  propertyOf,
  safeLink,
} from '@meridian/contract/untrusted';
import { invalid, Unprepared } from './unprepared.ts';

/** A picture as the post stores it (a blob reference, or a key of the object store), not yet checked. */
export type Image = { picture: unknown; alt: string; aspectRatio: AspectRatio | null };
type AspectRatio = { width: number; height: number };
export type External = {
  card: { uri: string; title: string; description: string };
  thumb: unknown;
};

/** The embed of a post as an administrator sees it. All of it is untrusted until it is read here. */
export type Embed = {
  images: Image[];
  external: External | null;
  /** AT URI of the quoted post. */
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
  // Published without them, a post would be another than its author wrote.
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

/** Words, or the network's own `{ values: [{ val }] }`. */
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
