import { FACET_LINK, FACET_MENTION, type FacetFeature, facetsOf } from '@meridian/contract/facets';
import { NETWORK_IMAGE_HOST } from '@meridian/contract/network';
import { type ListedPost, TRUNCATE } from '@meridian/contract/posts';
import {
  hasVideo,
  isDid,
  linkCardIn,
  mediaIn,
  picturesIn,
  propertyOf,
  safeLink,
} from '@meridian/contract/untrusted';
import { isBlank, truncateGraphemes, withoutHidden } from '@meridian/ui/SafeText.tsx';
import { pictureAddress, type Surroundings as PageSurroundings } from '@meridian/ui/pictures.tsx';
import { displayNameOf } from './users.tsx';

export type EmbeddedImage = { src: string | null; alt: string };
export type LinkCard = {
  /** Null when the address is not one a click may open; it is then shown as text. */
  href: string | null;
  uri: string;
  title: string;
  description: string;
  thumb: string | null;
};

// The schema's own ceiling for galleries; more is a mistake or an attack.
const IMAGES_MAX = 20;
/** As long as the network lets people make them. */
const ALT_MAX = 2000;
const DETAIL_MAX = 200;

/** The pictures of an embed, as a record or as the network's own view of it, quoted posts included. */
export function imagesOf(embed: unknown, around: PictureSurroundings): EmbeddedImage[] {
  const images = picturesIn(embed);
  if (!Array.isArray(images)) return [];
  return images.slice(0, IMAGES_MAX).map((image: unknown) => ({
    src: pictureSource(image, around),
    alt: truncateGraphemes(textOf(propertyOf(image, 'alt')), ALT_MAX),
  }));
}

/** The link card of an embed. */
export function linkCardOf(embed: unknown, around: PictureSurroundings): LinkCard | null {
  const external = linkCardIn(mediaIn(embed));
  if (!isObject(external)) return null;
  const uri = textOf(propertyOf(external, 'uri'));
  const thumb = propertyOf(external, 'thumb');
  return {
    href: safeLink(uri)?.href ?? null,
    uri,
    title: textOf(propertyOf(external, 'title')),
    description: textOf(propertyOf(external, 'description')),
    thumb: thumb === undefined ? null : pictureSource(thumb, around),
  };
}

/** What an embed holds that is not drawn here, in words: its readers on the network see it. */
export function undrawnOf(embed: unknown): string[] {
  if (embed === null || embed === undefined) return [];
  const media = mediaIn(embed);
  const quoted = propertyOf(embed, 'record');
  const images = picturesIn(embed);
  const external = linkCardIn(media);
  const type = textOf(propertyOf(media, '$type')) || textOf(propertyOf(embed, '$type'));
  const notes: string[] = [];
  const uri = textOf(propertyOf(external, 'uri'));
  if (uri !== '' && safeLink(uri) === null) {
    notes.push(`Refused link target of the link card${detail(uri)}`);
  }
  if (quoted !== undefined) notes.push(`Quoted post, not shown here${detail(quotedUri(quoted))}`);
  if (hasVideo(embed)) {
    notes.push(`Video, not shown here${detail(textOf(propertyOf(media, 'alt')))}`);
  } else if (!Array.isArray(images) && !isObject(external) && quoted === undefined) {
    notes.push(`Unknown embed, not shown here${detail(type)}`);
  }
  if (Array.isArray(images) && images.length > IMAGES_MAX) {
    notes.push(`Only the first ${IMAGES_MAX} of ${images.length} images are shown`);
  }
  return notes;
}

const detail = (text: string) => (text === '' ? '' : `: ${truncateGraphemes(text, DETAIL_MAX)}`);

/** A quote with media wraps the record once more. */
function quotedUri(record: unknown): string {
  return (
    textOf(propertyOf(record, 'uri')) || textOf(propertyOf(propertyOf(record, 'record'), 'uri'))
  );
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

export type Segment =
  | { kind: 'text'; text: string }
  | { kind: 'link' | 'mention' | 'tag'; text: string; href: string };

/** Cuts a text along its usable facets. The segments always join to the whole text. */
export function segmentsOf(
  text: string,
  facets: unknown,
): { segments: Segment[]; issues: string[] } {
  const bytes = new TextEncoder().encode(text);
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  const cut = (start: number, end: number) => decoder.decode(bytes.subarray(start, end));
  const { ranges, issues } = facetsOf(text, facets);
  const segments: Segment[] = [];
  let cursor = 0;
  for (const { start, end, feature } of ranges) {
    if (start > cursor) segments.push({ kind: 'text', text: cut(cursor, start) });
    segments.push(segmentOf(cut(start, end), feature));
    cursor = end;
  }
  if (cursor < bytes.length) segments.push({ kind: 'text', text: cut(cursor, bytes.length) });
  return { segments, issues };
}

function segmentOf(text: string, feature: FacetFeature): Segment {
  if (feature.$type === FACET_LINK) return { kind: 'link', text, href: feature.uri };
  if (feature.$type === FACET_MENTION) {
    return { kind: 'mention', text, href: `https://bsky.app/profile/${feature.did}` };
  }
  const tag = encodeURIComponent(feature.tag);
  return { kind: 'tag', text, href: `https://bsky.app/hashtag/${tag}` };
}

/** A host with the port that may follow it, wherever in a text it stands but in a path. */
const NAMED_HOST =
  /(?<=^|[\s("'<“«@]|\/\/)(?:(?:[\p{L}\p{N}-]+\.)+\p{L}[\p{L}\p{N}-]+|\d+(?:\.\d+){3})(?::\d+)?/gu;
/** Dots that browsers read as one, and eyes too. */
const OTHER_DOTS = /[\u2024\u3002\uff0e\uff61]/gu;

/**
 * The true host of a link whose text names another one, or whose host is written in other than
 * plain letters: what the reader must see before clicking. Null when the text hides nothing.
 */
export function hiddenHost(text: string, url: URL): string | null {
  if (/(^|\.)xn--/u.test(url.hostname)) return url.host;
  const readable = withoutHidden(text).replaceAll(OTHER_DOTS, '.');
  const names = readable.match(NAMED_HOST) ?? [];
  return names.every((name) => isHost(name, url)) ? null : url.host;
}

function isHost(name: string, url: URL): boolean {
  // Parsed the browser's way, so that case, full-width letters and the like compare equal.
  const named = URL.parse(`${url.protocol}//${name}`);
  return named !== null && bare(named.hostname) === bare(url.hostname) && named.port === url.port;
}

const bare = (host: string) => host.replace(/^www\./u, '').replace(/\.+$/u, '');

type PictureSurroundings = PageSurroundings & {
  /** Whose repository holds the blobs; without it a blob reference has no address. */
  did: string | null;
  /** Where the product serves its own keys from, with a slash at the end. */
  cdnBaseUrl: string;
};

const CID = /^b[a-z2-7]{20,120}$/u;
const KEY_MAX_LENGTH = 1024;
/** Cached link previews: the one kind of key that is also written where an address could stand. */
const PREVIEW_PREFIX = 'ogp-cache/';

/**
 * Where a picture is to be loaded from. It may be written as a blob URL, a blob reference, a key of
 * the product's own store, a thumbnail or a plain address. Whether the browser may ask its host is
 * decided where it is shown.
 */
export function pictureSource(picture: unknown, around: PictureSurroundings): string | null {
  if (typeof picture === 'string') return addressed(picture, around);
  if (typeof picture !== 'object' || picture === null) return null;
  const from = (key: string): unknown => Reflect.get(picture, key);
  return (
    addressed(from('blobUrl') ?? from('blob_url'), around) ??
    blobReference(from('image') ?? from('blob') ?? picture, around) ??
    keyed(from('key') ?? propertyOf(from('image'), 'key'), around) ??
    addressed(from('thumb') ?? from('thumbnail'), around) ??
    addressed(from('url') ?? from('fullsize') ?? from('uri'), around) ??
    addressed(from('image'), around)
  );
}

function addressed(address: unknown, around: PictureSurroundings): string | null {
  if (typeof address !== 'string') return null;
  if (address.startsWith(PREVIEW_PREFIX)) return keyed(address, around);
  return pictureAddress(address, around)?.url ?? null;
}

/** `{ref: {$link}}`, the older `{cid}`, or a CID object that prints as one. */
function blobReference(blob: unknown, { did }: PictureSurroundings): string | null {
  const reference = propertyOf(blob, 'ref');
  const cid =
    propertyOf(reference, '$link') ??
    propertyOf(blob, '$link') ??
    propertyOf(blob, 'cid') ??
    reference;
  if (typeof cid !== 'string' || !CID.test(cid) || !isDid(did)) return null;
  return `https://${NETWORK_IMAGE_HOST}/img/feed_thumbnail/plain/${did}/${cid}`;
}

function keyed(key: unknown, { cdnBaseUrl, pageUrl }: PictureSurroundings): string | null {
  if (typeof key !== 'string' || key === '' || key.length > KEY_MAX_LENGTH || !key.isWellFormed())
    return null;
  if (key.startsWith('/') || key.includes('\\') || key.includes('://') || /\p{Cc}/u.test(key))
    return null;
  const parts = key.split('/');
  if (parts.some((part) => part === '' || part === '.' || part === '..')) return null;
  const base = URL.parse(cdnBaseUrl, pageUrl)?.href ?? cdnBaseUrl;
  return base + parts.map(encodeURIComponent).join('/');
}

export type ThreadPart = { content: string; facets: unknown; embed: unknown };

/** As many as one call publishes, besides the first. */
const PARTS_MAX = 24;

/** The further posts of a thread. Stored by others: what is no text is an empty one. */
export function threadOf(thread: unknown): ThreadPart[] {
  if (!Array.isArray(thread)) return [];
  return thread.slice(0, PARTS_MAX).map((part: unknown) => {
    const content = propertyOf(part, 'content');
    return {
      content: typeof content === 'string' ? content : '',
      facets: propertyOf(part, 'facets'),
      embed: propertyOf(part, 'embed'),
    };
  });
}

type Authored = Pick<ListedPost, 'user' | 'user_id'>;

/** The ids of an author. A user who is gone has left the user id alone. */
export interface AuthorIds {
  /** The user id, as a path and a list need it. */
  id: string;
  /** Null where it is missing or shows nothing. */
  handle: string | null;
  did: string | null;
}

function known(text: string | undefined): string | null {
  return text === undefined || isBlank(text) ? null : text;
}

export function authorIdsOf({ user, user_id: userId }: Authored): AuthorIds {
  return {
    id: known(userId) ?? known(user?.id) ?? '',
    handle: known(user?.handle),
    did: known(user?.did),
  };
}

/** The one word for the author where there is room for no more: '@mika.example'. */
export function authorLabelOf(post: Authored): string {
  const { id, handle, did } = authorIdsOf(post);
  return handle === null ? (did ?? id) : `@${handle}`;
}

/** The name above the handle: the display name, or else the handle, the DID or the user id. */
export function authorNameOf(post: Authored): string {
  const { id, handle, did } = authorIdsOf(post);
  return (post.user && displayNameOf(post.user)) ?? handle ?? did ?? id;
}

/** The first line of a list's cell: the handle, or else the start of the DID or of the user id. */
export function authorTitleOf({ id, handle, did }: AuthorIds): string {
  if (handle !== null) return handle;
  return did === null
    ? truncateGraphemes(id, TRUNCATE.userId)
    : truncateGraphemes(did, TRUNCATE.did);
}
