import data from '../data/awkward.json' with { type: 'json' };
import { Json } from './rows.ts';
import type { PostRow, UserRow } from './rows.ts';

/**
 * Posts with fixed ids and dates that are hard to show: overlapping and character-splitting facets,
 * right-to-left text, a direction override in a name, hostile addresses.
 */
export const AWKWARD_USERS = data.users as UserRow[]; // The database checks the statuses.

export const AWKWARD_POSTS: PostRow[] = data.posts.map((post) =>
  Object.assign({}, post, {
    status: post.status as PostRow['status'], // The database checks it.
    facets: new Json(post.facets),
    embed: post.embed === null ? null : new Json(post.embed),
  }),
);
