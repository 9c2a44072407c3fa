/** What the network itself allows. */
export const NETWORK_LIMITS = {
  images: 4,
  imageMb: 1,
  characters: 300,
  threadPosts: 25,
} as const;

/** The network's public image delivery host. */
export const NETWORK_IMAGE_HOST = 'cdn.bsky.app';
