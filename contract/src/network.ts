import { isDid } from './untrusted.ts';

export const NETWORK_LIMITS = {
  images: 4,
  imageMb: 1,
  characters: 300,
  textBytes: 3000,
  threadPosts: 25,
  languages: 3,
  tagCharacters: 64,
  tagBytes: 640,
  imageBytes: 2_000_000,
  thumbBytes: 1_000_000,
} as const;

export const NETWORK_IMAGE_HOST = 'cdn.bsky.app';

const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** The network limits a text by characters as a reader counts them. */
export function countGraphemes(text: string): number {
  let count = 0;
  for (const _ of segmenter.segment(text)) count += 1;
  return count;
}

/** Emoji take many bytes: a text within the characters may be too large. */
export function textTooLarge(bytes: number): string {
  return `The text is too large for Bluesky: ${bytes} of ${NETWORK_LIMITS.textBytes} bytes. Use fewer emoji, or shorten it`;
}

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
  // The record lies in the repository that its URI names, whatever the user's handle is today.
  const profile = [authority, user?.did, user?.handle].find((name) => isDid(name) || isNamed(name));
  if (!rkey || !RECORD_KEY.test(rkey) || profile === undefined) return null;
  return `${networkUrl}/profile/${profile}/post/${encodeURIComponent(rkey)}`;
}

function isNamed(handle: string | undefined): boolean {
  return (
    handle !== undefined &&
    handle !== 'handle.invalid' &&
    handle.length <= 253 &&
    HANDLE.test(handle)
  );
}
