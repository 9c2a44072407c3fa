import type { Picture } from './images/pictures.ts';
import data from './awkward-posts.json' with { type: 'json' };
import { Json } from './rows.ts';
import type { PostRow, UserRow } from './rows.ts';

/**
 * Real-world awkwardness with fixed ids and dates: overlapping and character-splitting facets,
 * right-to-left text, a direction override in a name, hostile addresses. Their pictures are files of
 * this service, so that a demonstration asks no other host.
 */
export function awkwardUsers(urlOf: (key: string) => string): UserRow[] {
  return data.authors.map((author) => ({
    id: author.id,
    did: author.did,
    handle: author.handle,
    display_name: author.display_name,
    avatar: author.avatar?.startsWith('avatars/') ? urlOf(author.avatar) : author.avatar,
    created_at: author.created_at,
    status: oneOf(['ACTIVE', 'SUSPENDED', 'BLOCKED'], author.status),
    is_active: author.status !== 'BLOCKED',
    has_access_keyword_access: true,
    upgrade_prohibited: author.status === 'BLOCKED',
    updated_at: author.created_at,
  }));
}

export function awkwardPosts(): PostRow[] {
  return data.posts.map((post) => ({
    id: post.id,
    user_id: post.user_id,
    content: post.content,
    languages: post.languages,
    scheduled_at: post.scheduled_at,
    created_at: post.created_at,
    updated_at: post.updated_at,
    executed_at: post.executed_at,
    at_uri: post.at_uri,
    at_rkey: post.at_rkey,
    error_msg: post.error_msg,
    facets: new Json(post.facets),
    embed: post.embed === null ? null : new Json(post.embed),
    status: oneOf(['PENDING', 'PROCESSING', 'COMPLETED', 'FAILED'], post.status),
  }));
}

/** The files behind the keys in these posts. Browsers look into a picture, not at its name. */
export const AWKWARD_PICTURES: readonly Picture[] = [
  { key: 'avatars/demo/harbour-lights.png', scene: 'waves', variant: 1, width: 128, height: 128 },
  { key: 'avatars/demo/mika.png', scene: 'leaves', variant: 1, width: 128, height: 128 },
  { key: 'avatars/demo/blog.png', scene: 'ridges', variant: 1, width: 128, height: 128 },
  {
    key: 'uploads/2026/11/mika-exhibition.png',
    scene: 'night',
    variant: 1,
    width: 480,
    height: 360,
  },
  { key: 'uploads/2026/11/busan 1.png', scene: 'coast', variant: 2, width: 360, height: 480 },
  { key: 'uploads/2026/11/busan 2.png', scene: 'night', variant: 2, width: 480, height: 360 },
  { key: 'uploads/2026/11/busan 4.png', scene: 'waves', variant: 2, width: 480, height: 360 },
  { key: 'ogp-cache/7c/20d1b8f4a63e95.webp', scene: 'forest', variant: 1, width: 400, height: 210 },
  { key: 'ogp-cache/e4/5b07c93af8d216.webp', scene: 'ridges', variant: 2, width: 400, height: 210 },
  { key: 'uploads/2026/11/busan 3#사진.png', scene: 'coast', variant: 1, width: 480, height: 360 },
  { key: 'ogp-cache/3f/9a1c77d2e05b4c.webp', scene: 'dunes', variant: 2, width: 400, height: 210 },
];

function oneOf<const T extends string>(words: readonly T[], text: string): T {
  const word = words.find((candidate) => candidate === text);
  if (word === undefined) throw new Error(`Unexpected status ${text}`);
  return word;
}
