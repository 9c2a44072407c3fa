import { isDid } from './untrusted.ts';

const HANDLE = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?$/iu;
const RECORD_KEY = /^[a-zA-Z0-9_~.:-]{1,512}$/u;

type Published = {
  at_uri: string | null;
  at_rkey: string | null;
  user: { did: string; handle: string } | null;
};

/** The post's page on the network's web site; null when its address cannot be made out. */
export function networkPageOf(
  { at_uri: uri, at_rkey: key, user }: Published,
  networkUrl: string,
): string | null {
  const [, authority, recordKey] =
    /^at:\/\/([^/]+)\/app\.bsky\.feed\.post\/([^/?#]+)$/u.exec(uri ?? '') ?? [];
  const rkey = recordKey ?? key;
  // The record lies in the repository that its URI names, whatever the author is called today.
  const profile = [authority, user?.did, user?.handle].find((name) => isDid(name) || isNamed(name));
  if (!rkey || !RECORD_KEY.test(rkey) || profile === undefined) return null;
  return `${networkUrl}/profile/${profile}/post/${encodeURIComponent(rkey)}`;
}

/** A handle that no longer resolves is written `handle.invalid`. */
function isNamed(handle: string | undefined): boolean {
  return (
    handle !== undefined &&
    handle !== 'handle.invalid' &&
    handle.length <= 253 &&
    HANDLE.test(handle)
  );
}
