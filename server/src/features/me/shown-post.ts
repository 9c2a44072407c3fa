import type { MePost } from '@meridian/contract/me/posts';
import { networkPageOf } from '@meridian/contract/network-page';
import { postCan } from '@meridian/contract/posts';
import { retryCan } from '@meridian/contract/retries';
import { linkCardIn, propertyOf } from '@meridian/contract/untrusted';
import { shownMedia } from './media.service.ts';
import type { MediaRow } from './media.store.ts';
import { sentenceFor } from './post-sentence.ts';
import type { MyPostRow } from './posts.store.ts';

type ShownPart = Pick<MePost, 'content' | 'images' | 'external'>;
/** `isWhole`: nothing of it is left out, so it can be edited here without losing anything. */
type Part = { shown: ShownPart; isWhole: boolean };
type Shown = { did: string; networkUrl: string; media: ReadonlyMap<string, MediaRow> };

const OWN_EMBED = /^app\.bsky\.embed\.(?:images|external|record|recordWithMedia)$/u;

/** A post as its author sees it. What another program stored may hold more than this page knows. */
export function shownPost(row: MyPostRow, { did, networkUrl, media }: Shown): MePost {
  const first = partOf(row, media);
  const thread = listOf(row.thread).map((part) => partOf(part, media));
  const isWhole = [first, ...thread].every((part) => part.isWhole);
  return {
    id: row.id,
    ...first.shown,
    languages: row.languages,
    replyTo: row.reply_to,
    quote: quoteOf(row.embed),
    thread: thread.map(({ shown }) => shown),
    status: row.status,
    scheduledAt: row.scheduled_at,
    createdAt: row.created_at,
    publishedAt: row.at_uri === null ? null : row.executed_at,
    url:
      row.at_uri === null ? null : networkPageOf({ ...row, user: { did, handle: '' } }, networkUrl),
    sentence: sentenceFor(row),
    can: {
      edit: row.status === 'PENDING' && !row.is_journalled && isWhole,
      cancel: postCan.cancel(row),
      delete: row.status !== 'PROCESSING',
      retry: retryCan.retry(row),
    },
    retryOf: row.retry_of,
    retriedAs: row.retried_as,
    version: row.version,
  };
}

/** The object keys of the pictures of a post, to look them up. */
export function keysOf({ embed, thread }: Pick<MyPostRow, 'embed' | 'thread'>): string[] {
  return [embed, ...listOf(thread).map((part) => propertyOf(part, 'embed'))]
    .flatMap((one) =>
      imagesIn(one)
        .concat(propertyOf(cardIn(one), 'thumb'))
        .map(keyOf),
    )
    .filter((key) => key !== '');
}

function partOf(part: unknown, media: ReadonlyMap<string, MediaRow>): Part {
  const embed = propertyOf(part, 'embed') ?? null;
  const stored = imagesIn(embed);
  const images = stored.flatMap((image) => {
    const row = media.get(keyOf(image));
    return row === undefined ? [] : [{ media: shownMedia(row), alt: textOf(image, 'alt') }];
  });
  const card = cardIn(embed);
  const thumb = media.get(keyOf(propertyOf(card, 'thumb')));
  const external =
    card === null
      ? null
      : {
          uri: textOf(card, 'uri'),
          title: textOf(card, 'title'),
          description: textOf(card, 'description'),
          media: thumb === undefined ? null : shownMedia(thumb),
        };
  const isKnown = embed === null || OWN_EMBED.test(textOf(embed, '$type'));
  const hasThumb = (propertyOf(card, 'thumb') ?? null) !== null;
  return {
    shown: { content: textOf(part, 'content'), images, external },
    isWhole: isKnown && images.length === stored.length && hasThumb === (thumb !== undefined),
  };
}

/** A quote with media holds the pictures one level deeper. */
const mediaIn = (embed: unknown) => propertyOf(embed, 'media') ?? embed;
const imagesIn = (embed: unknown) => listOf(propertyOf(mediaIn(embed), 'images'));
const cardIn = (embed: unknown) => linkCardIn(mediaIn(embed)) ?? null;
const keyOf = (picture: unknown) => textOf(picture, 'key');

function quoteOf(embed: unknown): string | null {
  const record = propertyOf(embed, 'record');
  return textOf(record, 'uri') || textOf(propertyOf(record, 'record'), 'uri') || null;
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

function textOf(value: unknown, field: string): string {
  const found = propertyOf(value, field);
  return typeof found === 'string' ? found : '';
}
