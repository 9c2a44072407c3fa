/** What the network itself allows. */
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
  /** Of the picture of a link card. */
  thumbBytes: 1_000_000,
} as const;

/** The network's public image delivery host. */
export const NETWORK_IMAGE_HOST = 'cdn.bsky.app';

const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** Characters as a reader counts them, which is how the network limits a text. */
export function countGraphemes(text: string): number {
  let count = 0;
  for (const _ of segmenter.segment(text)) count += 1;
  return count;
}

/** For a text within the characters but not within the bytes, which emoji take many of. */
export function textTooLarge(bytes: number): string {
  return `The text is too large for Bluesky: ${bytes} of ${NETWORK_LIMITS.textBytes} bytes. Use fewer emoji, or shorten it`;
}
