import * as z from 'zod/mini';
import { PASSWORD_MIN_LENGTH } from './session-calls.ts';
import { NETWORK_IMAGE_HOST } from './network.ts';

/** The `<meta>` element of this name holds the configuration of the page. */
export const PAGE_CONFIG_META = 'meridian-config';

export const pageConfig = z.object({
  cdnBaseUrl: z.string(),
  /** The sources of the page's `img-src` besides this server. */
  imageSources: z.array(z.string()),
  /** The page's server fetches pictures of other hosts (`pictureLoad`). */
  canLoadPictures: z.boolean(),
  /** Without a slash at the end; a path when it is the local network. */
  networkUrl: z.string(),
  passwordMinLength: z.int(),
});
export type PageConfig = z.output<typeof pageConfig>;

/** The sources of `img-src`: the network's images, the CDN's origin and the operator's hosts. */
export function imageSources(cdnOrigin: string | null, hosts: readonly string[]): string[] {
  const origins = [NETWORK_IMAGE_HOST, ...hosts].map((host) => `https://${host}`);
  return [...new Set(cdnOrigin === null ? origins : [cdnOrigin, ...origins])];
}

export const DEFAULT_PAGE_CONFIG: PageConfig = {
  cdnBaseUrl: '/cdn/',
  imageSources: imageSources(null, []),
  canLoadPictures: false,
  networkUrl: 'https://bsky.app',
  passwordMinLength: PASSWORD_MIN_LENGTH,
};
