import { isLoadablePicture } from '@meridian/contract/pictures';

export type PictureAddress = {
  url: string;
  host: string;
  /** Whether the browser may load it by itself. */
  isTrusted: boolean;
  /** Whether the server could fetch it. */
  isLoadable: boolean;
};

export type Surroundings = {
  /** The address of the page, whose own server may serve pictures too. */
  pageUrl: string;
  /** Where else pictures come from, written as in the page's policy. */
  imageSources: readonly string[];
};

/**
 * What is to be done with the address of a picture. Any host that a picture is loaded from learns
 * when an administrator works, and from where: only trusted ones are asked without a click. Null for
 * what is no address of a picture at all.
 */
export function pictureAddress(
  source: string | null | undefined,
  { pageUrl, imageSources }: Surroundings,
): PictureAddress | null {
  if (source === null || source === undefined || source === '') return null;
  const url = URL.parse(source, pageUrl);
  if (url === null || url.username !== '' || url.password !== '') return null;
  const isOwn = url.origin === new URL(pageUrl).origin && url.origin !== 'null';
  const isTrusted = isOwn || imageSources.some((one) => isFrom(url, one));
  if (!isTrusted && url.protocol !== 'https:' && url.protocol !== 'http:') return null;
  return { url: url.href, host: url.host, isTrusted, isLoadable: isLoadablePicture(url) };
}

/** As the browser reads a source of the policy: an origin, or every subdomain of a host. */
function isFrom(url: URL, source: string): boolean {
  const [scheme = '', host = ''] = source.split('//*', 2);
  if (host === '') return url.origin === source;
  return url.protocol === scheme && url.port === '' && url.hostname.endsWith(host);
}
