import path from 'node:path';

/** Larger than any index of plans or preview picture, small enough to hold in memory. */
export const OBJECT_MAX_BYTES = 8 * 1024 * 1024;

const CONTENT_TYPES: ReadonlyMap<string, string> = new Map([
  ['.json', 'application/json; charset=utf-8'],
  ['.txt', 'text/plain; charset=utf-8'],
  ['.avif', 'image/avif'],
  ['.gif', 'image/gif'],
  ['.jpeg', 'image/jpeg'],
  ['.jpg', 'image/jpeg'],
  ['.png', 'image/png'],
  ['.svg', 'image/svg+xml'],
  ['.webp', 'image/webp'],
]);

const PLANS_FOLDER = 'plans/';
/** A plan's file under its revision is never written again. */
const REVISION_FILE = /^plans\/[^/]+\/[^/]+\.json$/;

export function contentTypeOf(key: string): string {
  return CONTENT_TYPES.get(path.posix.extname(key).toLowerCase()) ?? 'application/octet-stream';
}

export function cacheControlOf(key: string): string {
  if (REVISION_FILE.test(key)) return 'public, max-age=31536000, immutable';
  return contentTypeOf(key).startsWith('image/') ? 'public, max-age=86400' : 'public, max-age=60';
}

/** Published plans are for the pages of any site. */
export function isForAnyOrigin(key: string): boolean {
  return key.startsWith(PLANS_FOLDER);
}
