import { ObjectStoreConfigError } from './errors.ts';
import { assertObjectKey, encodeKey } from './object-key.ts';

/** The address a reader uses for a key; the base is `/cdn/` or an http(s) address. */
export function publicUrls(cdnBaseUrl: string): (key: string) => string {
  const base = cdnBaseUrl.endsWith('/') ? cdnBaseUrl : `${cdnBaseUrl}/`;
  if (!isPath(base) && !isWebAddress(base)) {
    throw new ObjectStoreConfigError('CDN_BASE_URL must be an http or https address');
  }
  return (key) => {
    assertObjectKey(key);
    return base + encodeKey(key);
  };
}

// `//host/` would be another host.
function isPath(base: string): boolean {
  return base.startsWith('/') && !base.startsWith('//') && !/[?#\\]/.test(base);
}

function isWebAddress(base: string): boolean {
  const url = URL.parse(base);
  if (url === null || url.search !== '' || url.hash !== '') return false;
  if (url.username !== '' || url.password !== '') return false;
  return url.protocol === 'https:' || url.protocol === 'http:';
}
