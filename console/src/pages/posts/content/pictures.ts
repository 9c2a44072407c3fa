import { NETWORK_IMAGE_HOST } from '@meridian/contract/network';
import { isDid, propertyOf } from '@meridian/contract/untrusted';
import { pictureAddress } from '../../../components/pictures/picture-address.ts';
import type { Surroundings as PageSurroundings } from '../../../components/pictures/picture-address.ts';

type Surroundings = PageSurroundings & {
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
export function pictureSource(picture: unknown, around: Surroundings): string | null {
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

function addressed(address: unknown, around: Surroundings): string | null {
  if (typeof address !== 'string') return null;
  if (address.startsWith(PREVIEW_PREFIX)) return keyed(address, around);
  return pictureAddress(address, around)?.url ?? null;
}

/** `{ref: {$link}}`, the older `{cid}`, or a CID object that prints as one. */
function blobReference(blob: unknown, { did }: Surroundings): string | null {
  const reference = propertyOf(blob, 'ref');
  const cid =
    propertyOf(reference, '$link') ??
    propertyOf(blob, '$link') ??
    propertyOf(blob, 'cid') ??
    reference;
  if (typeof cid !== 'string' || !CID.test(cid) || !isDid(did)) return null;
  return `https://${NETWORK_IMAGE_HOST}/img/feed_thumbnail/plain/${did}/${cid}`;
}

function keyed(key: unknown, { cdnBaseUrl, pageUrl }: Surroundings): string | null {
  if (typeof key !== 'string' || key === '' || key.length > KEY_MAX_LENGTH || !key.isWellFormed())
    return null;
  if (key.startsWith('/') || key.includes('\\') || key.includes('://') || /\p{Cc}/u.test(key))
    return null;
  const parts = key.split('/');
  if (parts.some((part) => part === '' || part === '.' || part === '..')) return null;
  const base = URL.parse(cdnBaseUrl, pageUrl)?.href ?? cdnBaseUrl;
  return base + parts.map(encodeURIComponent).join('/');
}
