import type { Picture } from './images/pictures.ts';
import data from './awkward-posts.json' with { type: 'json' };
import { Json } from './rows.ts';
import type { PostRow, UserRow } from './rows.ts';

/**
 * Real-world awkwardness with fixed ids and dates: overlapping and character-splitting facets,
 * right-to-left text, a direction override in a name, hostile addresses, pictures in every form
 * that posts refer to them.
 */
export function awkwardUsers(): UserRow[] {
  return data.authors.map((author) => ({
    id: author.id,
    did: author.did,
    handle: author.handle,
    display_name: author.display_name,
    avatar: author.avatar,
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
  { key: 'uploads/2026/11/busan 3#사진.png', scene: 'coast', variant: 1, width: 480, height: 360 },
  { key: 'ogp-cache/3f/9a1c77d2e05b4c.webp', scene: 'dunes', variant: 2, width: 400, height: 210 },
];

function oneOf<const T extends string>(words: readonly T[], text: string): T {
  const word = words.find((candidate) => candidate === text);
  if (word === undefined) throw new Error(`Unexpected status ${text}`);
  return word;
}
