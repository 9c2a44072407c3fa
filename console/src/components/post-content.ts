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
import { pictureAddress, type Surroundings } from '@meridian/ui/pictures.tsx';
import { displayNameOf } from './users.tsx';

type PostSurroundings = Surroundings & {
  /** The author's repository holds the blobs; without it a blob reference has no address. */
  did: string | null;
  /** The address of the product's own keys, with a slash at the end. */
  cdnBaseUrl: string;
};

// The schema's own ceiling for galleries; more is a mistake or an attack.
const IMAGES_MAX = 20;
/** As long as the network lets people make them. */
const ALT_MAX = 2000;

/** The pictures of an embed, as a record or as the network's own view of it, quoted posts included. */
export function imagesOf(embed: unknown, around: PostSurroundings) {
  const images = picturesIn(embed);
  if (!Array.isArray(images)) return [];
  return images.slice(0, IMAGES_MAX).map((image: unknown) => ({
    src: pictureSource(image, around),
    alt: truncateGraphemes(textOf(image, 'alt'), ALT_MAX),
  }));
}

export type LinkCard = NonNullable<ReturnType<typeof linkCardOf>>;

export function linkCardOf(embed: unknown, around: PostSurroundings) {
  const external = linkCardIn(mediaIn(embed));
  if (!isObject(external)) return null;
  const uri = textOf(external, 'uri');
  const thumb = propertyOf(external, 'thumb');
  return {
    /** Null when the address is not one a click may open; it is then shown as text. */
    href: safeLink(uri)?.href ?? null,
    uri,
    title: textOf(external, 'title'),
    description: textOf(external, 'description'),
    thumb: thumb === undefined ? null : pictureSource(thumb, around),
  };
}

/** Names what of an embed is not drawn here, though its readers on the network see it. */
export function undrawnOf(embed: unknown): string[] {
  if (embed === null || embed === undefined) return [];
  const media = mediaIn(embed);
  const quoted = propertyOf(embed, 'record');
  const images = picturesIn(embed);
  const external = linkCardIn(media);
  const notes: string[] = [];
  const uri = textOf(external, 'uri');
  if (uri !== '' && safeLink(uri) === null) {
    notes.push(`Refused link target of the link card${detail(uri)}`);
  }
  if (quoted !== undefined) {
    // A quote with media wraps the record once more.
    const quotedUri = textOf(quoted, 'uri') || textOf(propertyOf(quoted, 'record'), 'uri');
    notes.push(`Quoted post, not shown here${detail(quotedUri)}`);
  }
  if (hasVideo(embed)) {
    notes.push(`Video, not shown here${detail(textOf(media, 'alt'))}`);
  } else if (!Array.isArray(images) && !isObject(external) && quoted === undefined) {
    const type = textOf(media, '$type') || textOf(embed, '$type');
    notes.push(`Unknown embed, not shown here${detail(type)}`);
  }
  if (Array.isArray(images) && images.length > IMAGES_MAX) {
    notes.push(`Only the first ${IMAGES_MAX} of ${images.length} images are shown`);
  }
  return notes;
}

const DETAIL_MAX = 200;
const detail = (text: string) => (text === '' ? '' : `: ${truncateGraphemes(text, DETAIL_MAX)}`);

const isObject = (value: unknown) => typeof value === 'object' && value !== null;

function textOf(value: unknown, key: string): string {
  const text = propertyOf(value, key);
  return typeof text === 'string' ? text : '';
}

export type Segment =
  | { kind: 'text'; text: string }
  | { kind: 'link' | 'mention' | 'tag'; text: string; href: string };

/** Cuts a text along its usable facets. The segments always join to the whole text. */
export function segmentsOf(text: string, facets: unknown) {
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
 * The true host of a link whose text names another one, or whose host is written in other than plain
 * letters: a reader must see it before clicking. Null when the text hides nothing.
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

const CID = /^b[a-z2-7]{20,120}$/u;
const KEY_MAX_LENGTH = 1024;
/** Cached link previews: the one kind of key that is also written where an address could stand. */
const PREVIEW_PREFIX = 'ogp-cache/';

/**
 * The address of a picture, which may be written as a blob URL, a blob reference, a key of the
 * product's own store, a thumbnail or a plain address. The place that shows it decides whether the
 * browser may ask its host.
 */
export function pictureSource(picture: unknown, around: PostSurroundings): string | null {
  if (typeof picture === 'string') return addressed(picture, around);
  const from = (key: string) => propertyOf(picture, key);
  return (
    addressed(from('blobUrl') ?? from('blob_url'), around) ??
    blobReference(from('image') ?? from('blob') ?? picture, around) ??
    keyed(from('key') ?? propertyOf(from('image'), 'key'), around) ??
    addressed(from('thumb') ?? from('thumbnail'), around) ??
    addressed(from('url') ?? from('fullsize') ?? from('uri'), around) ??
    addressed(from('image'), around)
  );
}

function addressed(address: unknown, around: PostSurroundings): string | null {
  if (typeof address !== 'string') return null;
  if (address.startsWith(PREVIEW_PREFIX)) return keyed(address, around);
  return pictureAddress(address, around)?.url ?? null;
}

/** `{ref: {$link}}`, the older `{cid}`, or a CID object that prints as one. */
function blobReference(blob: unknown, { did }: PostSurroundings): string | null {
  const reference = propertyOf(blob, 'ref');
  const link = propertyOf(reference, '$link') ?? propertyOf(blob, '$link');
  const cid = link ?? propertyOf(blob, 'cid') ?? reference;
  if (typeof cid !== 'string' || !CID.test(cid) || !isDid(did)) return null;
  return `https://${NETWORK_IMAGE_HOST}/img/feed_thumbnail/plain/${did}/${cid}`;
}

function keyed(key: unknown, { cdnBaseUrl, pageUrl }: PostSurroundings): string | null {
  if (typeof key !== 'string' || key.length > KEY_MAX_LENGTH || !key.isWellFormed()) return null;
  if (/^\/|\\|:\/\/|\p{Cc}/u.test(key)) return null;
  const parts = key.split('/');
  if (parts.some((part) => part === '' || part === '.' || part === '..')) return null;
  const base = URL.parse(cdnBaseUrl, pageUrl)?.href ?? cdnBaseUrl;
  return base + parts.map(encodeURIComponent).join('/');
}

export type ThreadPart = { content: string; facets: unknown; embed: unknown };

/** One call publishes so many besides the first. */
const PARTS_MAX = 24;

/** The further posts of a thread, written by others: content that is no text counts as none. */
export function threadOf(thread: unknown): ThreadPart[] {
  if (!Array.isArray(thread)) return [];
  return thread.slice(0, PARTS_MAX).map((part: unknown) => ({
    content: textOf(part, 'content'),
    facets: propertyOf(part, 'facets'),
    embed: propertyOf(part, 'embed'),
  }));
}

type Authored = Pick<ListedPost, 'user' | 'user_id'>;

/** The ids of an author, null where missing or blank. A user who is gone has left the user id alone. */
export function authorIdsOf({ user, user_id: userId }: Authored) {
  return {
    id: known(userId) ?? known(user?.id) ?? '',
    handle: known(user?.handle),
    did: known(user?.did),
  };
}

function known(text: string | undefined): string | null {
  return text === undefined || isBlank(text) ? null : text;
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
export function authorTitleOf(post: Authored): string {
  const { id, handle, did } = authorIdsOf(post);
  if (handle !== null) return handle;
  return did === null
    ? truncateGraphemes(id, TRUNCATE.userId)
    : truncateGraphemes(did, TRUNCATE.did);
}
