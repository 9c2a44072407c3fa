import * as z from 'zod/mini';
import { PASSWORD_MIN_LENGTH } from './auth.ts';
import { NETWORK_IMAGE_HOST } from './network.ts';

/** The name of the `<meta>` element in which the console finds what the page's server tells it. */
export const PAGE_CONFIG_META = 'meridian-config';

export const pageConfig = z.object({
  /** Where image keys are served from, with a slash at the end. */
  cdnBaseUrl: z.string(),
  /** Where pictures may be loaded from besides this server, as in `img-src` of the page's policy. */
  imageSources: z.array(z.string()),
  /** Whether the page's server fetches pictures of other hosts (`pictureLoad`). */
  canLoadPictures: z.boolean(),
  /** The network's web site, without a slash at the end; a path when it is the local network. */
  networkUrl: z.string(),
  /** Fewest characters of a new password of an administrator. */
  passwordMinLength: z.int(),
});
export type PageConfig = z.output<typeof pageConfig>;

/** The sources of `img-src`: the network's images, the CDN's origin and the operator's hosts. */
export function imageSources(cdnOrigin: string | null, hosts: readonly string[]): string[] {
  const origins = [NETWORK_IMAGE_HOST, ...hosts].map((host) => `https://${host}`);
  return [...new Set(cdnOrigin === null ? origins : [cdnOrigin, ...origins])];
}

/** For a page whose server says nothing. */
export const DEFAULT_PAGE_CONFIG: PageConfig = {
  cdnBaseUrl: '/cdn/',
  imageSources: imageSources(null, []),
  canLoadPictures: false,
  networkUrl: 'https://bsky.app',
  passwordMinLength: PASSWORD_MIN_LENGTH,
};
