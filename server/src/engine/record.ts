import { facetsOf } from '@meridian/contract/facets';
import { countGraphemes, NETWORK_LIMITS } from '@meridian/contract/network';
import { POST_COLLECTION } from '../network/network.ts';
import type { BlobRef, PostRecord } from '../network/network.ts';
import type { ThreadPart } from './claimed-post.ts';
import type { Embed } from './embed.ts';
import { Unprepared } from './unprepared.ts';

export type StrongRef = { uri: string; cid: string };
export type Reply = { root: StrongRef; parent: StrongRef };

export type RecordParts = {
  createdAt: Date;
  embed: Embed;
  /** One per image of the embed, in its order. */
  images: BlobRef[];
  thumb: BlobRef | null;
  quote: StrongRef | null;
  reply: Reply | null;
};

/** The record of a post, as the network stores it. Fields without a value are left out. */
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

/** The first that the network takes; others are left out rather than the post refused. */
function languagesOf(languages: readonly string[]): string[] {
  return [...new Set(languages.filter(isLanguage))].slice(0, NETWORK_LIMITS.languages);
}

function isLanguage(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length === 1;
  } catch {
    // Not a BCP 47 tag.
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
